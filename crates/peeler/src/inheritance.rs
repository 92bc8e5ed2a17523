//! Merges findings about one method that several classes inherit into one finding.
//!
//! ```java
//! abstract class StoreTest { @Test void reads() { Thread.sleep(10); ... } }   // one finding ...
//! class DiskStoreTest extends StoreTest {}                                    // ... with two places
//! class MemoryStoreTest extends StoreTest {}
//! ```
//!
//! Invariant: a test with results of runs of its own stays a finding of its own.

use std::collections::HashMap;

use crate::finding::{Finding, InheritedTest};

/// Merges findings about the same method. The first of them stays and names the others.
pub(crate) fn merge(findings: &mut Vec<Finding>) {
    let mut places: HashMap<(String, u32, bool), usize> = HashMap::new();
    let mut merged: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        if finding.proof.is_some() {
            merged.push(finding);
            continue;
        }
        let key = (finding.file.clone(), finding.line, finding.below_threshold);
        let place = *places.entry(key).or_insert(merged.len());
        match merged
            .get_mut(place)
            .filter(|it| it.test.method() == finding.test.method())
        {
            Some(first) => first.inherited_by.push(InheritedTest {
                rule: finding.rules.first().map(|it| it.rule),
                test: finding.test,
                probability: finding.probability,
                fingerprint: finding.fingerprint,
            }),
            None => merged.push(finding),
        }
    }
    *findings = merged;
}

#[cfg(test)]
mod tests {
    use peeler_features::TestName;

    use super::*;
    use crate::render::formats::made;

    #[test]
    fn findings_about_one_method_become_one_unless_runs_tell_them_apart() {
        let mut findings = made::scan().findings;
        findings[0].proof = None;
        let mut other = findings[0].clone();
        other.test = TestName::new("shop.SpecialOrderTest", "total");
        let mut proven = made::scan().findings.swap_remove(0);
        proven.test = TestName::new("shop.ProvenOrderTest", "total");
        findings.extend([other, proven]);
        merge(&mut findings);
        let tests: Vec<&str> = findings.iter().map(|it| it.test.as_str()).collect();
        let expected = [
            "shop.OrderTest#total",
            "shop.BasketTest$Empty#isEmpty",
            "shop.ProvenOrderTest#total",
        ];
        assert_eq!(tests, expected);
        assert_eq!(findings[0].inherited_by.len(), 1);
        assert_eq!(findings[0].inherited_by[0].test, "shop.SpecialOrderTest#total");
    }
}
