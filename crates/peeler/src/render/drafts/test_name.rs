//! The name of a test, taken apart.
//!
//! ```java
//! package dev.shop; class OrderTest { @Nested class Late { @Test void isDue() { … } } }
//! // dev.shop.OrderTest$Late#isDue: class `dev.shop.OrderTest$Late`, outermost `dev.shop.OrderTest`, method `isDue`
//! ```
//!
//! Invariant: any text has parts, a hostile one odd parts. Left out: parameters, which names of tests do not have.

/// The parts of `package.Outer$Inner#method`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TestName<'a> {
    /// `package.Outer$Inner`.
    pub(super) class: &'a str,
    pub(super) method: &'a str,
}

impl<'a> TestName<'a> {
    pub(super) fn new(test: &'a str) -> Self {
        let (class, method) = test.split_once('#').unwrap_or((test, ""));
        Self { class, method }
    }

    /// `Outer$Inner`.
    pub(super) fn simple_class(self) -> &'a str {
        self.class.rsplit('.').next().unwrap_or(self.class)
    }

    /// `package.Outer`.
    pub(super) fn outermost(self) -> &'a str {
        // A dollar at the very start belongs to the name.
        let simple = self.simple_class();
        let package = self.class.len() - simple.len();
        let end = simple.char_indices().skip(1).find(|it| it.1 == '$');
        &self.class[..end.map_or(self.class.len(), |(at, _)| package + at)]
    }

    /// `Outer$Inner#method`.
    pub(super) fn short(self) -> String {
        match self.method {
            "" => self.simple_class().to_owned(),
            method => format!("{}#{method}", self.simple_class()),
        }
    }

    /// Whether the method stands in another file than that of its class: it is inherited.
    pub(super) fn is_inherited(self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        let stem = name.strip_suffix(".java").unwrap_or(name);
        TestName::new(self.outermost()).simple_class() != stem
    }
}

#[cfg(test)]
mod tests {
    use super::TestName;

    #[test]
    fn names_come_apart() {
        let name = TestName::new("a.b.Outer$Inner#c");
        assert_eq!((name.class, name.method), ("a.b.Outer$Inner", "c"));
        assert_eq!(name.simple_class(), "Outer$Inner");
        assert_eq!(name.outermost(), "a.b.Outer");
        assert_eq!(name.short(), "Outer$Inner#c");
        assert_eq!(TestName::new("a.$Odd#c").outermost(), "a.$Odd");
        assert_eq!(TestName::new("nothing").short(), "nothing");
    }

    #[test]
    fn a_method_in_the_file_of_another_class_is_inherited() {
        assert!(TestName::new("a.LeafTest#b").is_inherited("src/test/java/a/BaseTest.java"));
        assert!(!TestName::new("a.LeafTest$Inner#b").is_inherited("src/test/java/a/LeafTest.java"));
    }
}
