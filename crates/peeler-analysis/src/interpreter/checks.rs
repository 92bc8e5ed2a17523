//! The checks of assertion libraries by name, such as `isEqualTo`, and what each notices of a value.

/// What a check of an assertion library, such as `isEqualTo`, notices of the value that it is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// The check notices whether the value equals the argument: `isEqualTo`.
    Equal,
    /// The check notices whether the value is the same object as the argument: `isSameAs`.
    Identical,
    /// The check notices whether the elements of the value are the arguments, in their order: `containsExactly`.
    InOrder,
    /// The check notices whether the value is true or false: `isTrue`.
    Truth,
    /// The check notices whether the text of the value equals the argument: `hasToString`.
    TextEqual,
    /// The check notices whether a text begins with, ends with or contains the argument: `startsWith`.
    Part,
    /// The check notices whether the value is less than the argument: `isLessThan`.
    Less,
    /// The argument of the check is a matcher: `is(equalTo(1))`.
    Matcher,
    /// All arguments of the check are matchers: `allOf(startsWith("a"), endsWith("b"))`.
    Matchers,
    /// The next check of the chain is applied to one element of the value: `first()`.
    First,
    /// The next check of the chain is applied to the text of the value: `asString()`.
    AsText,
    /// The check, such as `hasSize`, fails for no order of the elements. The next check of the chain is applied to the
    /// same value.
    Same,
    /// The check notices nothing that differs from run to run: `containsExactlyInAnyOrder`.
    Blind,
}

impl Check {
    pub(super) fn named(name: &str, is_truth: bool) -> Self {
        match name {
            "isEqualTo"
            | "assertEquals"
            | "assertArrayEquals"
            | "assertIterableEquals"
            | "assertLinesMatch"
            | "equalTo"
            | "isEqualToIgnoringWhitespace"
            | "isEqualToIgnoringCase"
            | "isEqualToNormalizingNewlines"
            | "isEqualToIgnoringNewLines"
            | "eq"
            | "equalToIgnoringCase"
            | "equalToCompressingWhiteSpace"
            | "assertReflectionEquals"
            | "isEqualByComparingTo"
            | "comparesEqualTo"
            | "assertStringEquals"
            | "assertListEquals" => Self::Equal,
            "containsExactly" | "containsExactlyElementsOf" if is_truth => Self::Blind,
            "containsExactly"
            | "containsExactlyElementsOf"
            | "containsSequence"
            | "containsSubsequence"
            | "contains_in_order"
            | "arrayContaining"
            | "inOrder"
            | "isSorted" => Self::InOrder,
            "assertSame" | "isSameAs" | "sameInstance" | "theInstance" => Self::Identical,
            "isTrue" | "isFalse" => Self::Truth,
            "hasToString" => Self::TextEqual,
            "startsWith" | "endsWith" | "containsString" | "matches" | "containsPattern" => Self::Part,
            "isLessThan" | "isLessThanOrEqualTo" | "lessThan" | "lessThanOrEqualTo" | "isBefore" => Self::Less,
            "is" | "isA" | "both" => Self::Matcher,
            "allOf" => Self::Matchers,
            "first" | "last" | "element" | "singleElement" => Self::First,
            "asString" => Self::AsText,
            "as"
            | "describedAs"
            | "withFailMessage"
            | "extracting"
            | "flatExtracting"
            | "filteredOn"
            | "isNotNull"
            | "isNotEmpty"
            | "hasSize"
            | "hasLength"
            | "isInstanceOf"
            | "isExactlyInstanceOf"
            | "overridingErrorMessage"
            | "map"
            | "asList"
            | "isPresent"
            | "get"
            | "isNotBlank"
            | "asInstanceOf"
            | "size"
            | "returnToIterable"
            | "isEmpty"
            | "usingDefaultComparator"
            | "that"
            | "named"
            | "contains"
            | "doesNotContain"
            | "containsKey"
            | "containsKeys"
            | "containsEntry"
            | "hasSameElementsAs"
            | "isIn" => Self::Same,
            _ => Self::Blind,
        }
    }
}

/// Whether a matcher of this name, such as `sameJSONAs`, ignores the order of the parts of the JSON or XML documents
/// that it compares.
pub(super) fn is_unordered_matcher(name: &str) -> bool {
    matches!(
        name,
        "isSimilarTo" | "sameJSONAs" | "jsonEquals" | "jsonStringEquals" | "hasXPath"
    )
}
