//! The checks of assertion libraries by name, and what each notices of a value.

/// What a named check notices of the value that it is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// The check notices whether the value equals the argument.
    Equal,
    /// The check notices whether the elements of the value are the arguments, in their order.
    InOrder,
    /// The check notices whether the value is true or false.
    Truth,
    /// The check notices whether the text of the value equals the argument.
    TextEqual,
    /// The check notices whether a text begins with, ends with or contains the argument.
    Part,
    /// The check notices whether the value is less than the argument.
    Less,
    /// The argument of the check is a matcher.
    Matcher,
    /// All arguments of the check are matchers.
    Matchers,
    /// The check continues with one element of the value.
    First,
    /// The check continues with the text of the value.
    AsText,
    /// The check continues with the value as it is.
    Same,
    /// The check notices nothing that differs from run to run.
    Blind,
}

impl Check {
    pub(super) fn named(name: &str, is_truth: bool) -> Self {
        match name {
            "isEqualTo"
            | "assertEquals"
            | "assertSame"
            | "assertArrayEquals"
            | "assertIterableEquals"
            | "assertLinesMatch"
            | "equalTo"
            | "isSameAs"
            | "isEqualToIgnoringWhitespace"
            | "isEqualToIgnoringCase"
            | "isEqualToNormalizingNewlines"
            | "isEqualToIgnoringNewLines"
            | "eq"
            | "sameInstance"
            | "theInstance"
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
            "isTrue" | "isFalse" => Self::Truth,
            "hasToString" => Self::TextEqual,
            "startsWith" | "endsWith" | "containsString" | "matches" | "containsPattern" => Self::Part,
            "isLessThan" | "isLessThanOrEqualTo" | "lessThan" | "lessThanOrEqualTo" | "isBefore" => Self::Less,
            "is" | "isA" | "both" | "describedAs" => Self::Matcher,
            "allOf" => Self::Matchers,
            "first" | "last" | "element" | "singleElement" => Self::First,
            "asString" => Self::AsText,
            "as"
            | "withFailMessage"
            | "extracting"
            | "flatExtracting"
            | "filteredOn"
            | "isNotNull"
            | "isNotEmpty"
            | "hasSize"
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
