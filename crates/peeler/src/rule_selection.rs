//! The rules that a scan reports.
//!
//! ```text
//! peeler scan --select PLR1,sleep-before-assertion --ignore PLR105
//! ```
//!
//! The options and `peeler.toml` name rules by [`RuleSelector`], or as `DEFAULT`. A narrower name overrides a wider
//! one: `--select PLR101 --ignore PLR1` reports PLR101. Of two equally narrow names the one to ignore wins. A selection
//! of the command line replaces that of the settings; ignored rules of the command line are left out in addition.
//!
//! Invariant: the selection decides what is listed, never what is analysed, so cached results serve all selections.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use peeler_analysis::FileGlobs;
use peeler_features::{Rule, RuleFamily, RuleSelector};

use crate::nearest_names::nearest;

/// The word in options and settings for the rules that are on by default.
const DEFAULT: &str = "DEFAULT";

/// Rules that are off by default, in addition to those about habits that hide flakiness (`PLR6xx`).
///
/// On labelled projects, the tests that such a rule reports were flaky no more often than others. For some rules the
/// reason is another one: most of their findings that were read were wrong, or the labels say nothing about them.
const OFF: [Rule; 22] = [
    // An assumption of the test, not a flow: no source of disorder was followed to the assertion.
    Rule::LiteralOrderAssumed,
    // 1 of 11 that were read was right, and of the listed tests of labelled modules a tenth is flaky.
    Rule::UnorderedElementPicked,
    Rule::QueryOrderCompared,
    Rule::IdentityTextCompared,
    Rule::EffectNotAwaited,
    Rule::AssertionInOtherThread,
    Rule::SchedulingAssumed,
    Rule::GarbageCollectionAssumed,
    Rule::GeneratedIdCompared,
    Rule::DefaultZoneOrLocaleCompared,
    Rule::DefaultCharsetCompared,
    Rule::EnvironmentValueCompared,
    Rule::LineSeparatorCompared,
    Rule::FloatEquality,
    Rule::UrlHashUsed,
    Rule::FixedPath,
    Rule::StaticStateAssumed,
    Rule::TestOrderRequired,
    Rule::SharedStoreLeft,
    // Properties and defaults that a test leaves seldom matter to another one: 3 of 16 that were read did.
    Rule::SystemPropertyLeft,
    Rule::DefaultLeft,
    Rule::FileLeft,
];

/// Whether a scan without options and settings reports a rule.
pub(crate) fn is_default(rule: Rule) -> bool {
    rule.family() != RuleFamily::Practice && !OFF.contains(&rule)
}

/// A word that names rules in an option or setting: `PLR101`, `PLR1`, a rule's name, a family, or `DEFAULT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RuleChoice {
    /// The choice `DEFAULT`: the rules that are on by default.
    Default,
    /// A choice by name: a rule, the first characters of ids, a family or all rules.
    Named(RuleSelector),
}

impl RuleChoice {
    fn names(&self, rule: Rule) -> bool {
        match self {
            Self::Default => is_default(rule),
            Self::Named(selector) => selector.names(rule),
        }
    }

    fn narrowness(&self) -> usize {
        match self {
            Self::Default => 0,
            Self::Named(selector) => selector.narrowness(),
        }
    }
}

/// The error for a word in an option or setting that names no rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownRule {
    name: String,
}

impl UnknownRule {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned() }
    }
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Rule::all().iter().flat_map(|it| [it.id(), it.name()]);
        let near = nearest(&self.name, names);
        write!(out, "`{}` is not a rule; ", self.name)?;
        match near.as_slice() {
            [] => write!(out, "`peeler rules` lists them"),
            near => write!(
                out,
                "did you mean {}? `peeler rules` lists all rules",
                near.join(" or ")
            ),
        }
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for RuleChoice {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        if text.eq_ignore_ascii_case(DEFAULT) {
            return Ok(Self::Default);
        }
        RuleSelector::parse(text)
            .map(Self::Named)
            .ok_or_else(|| UnknownRule::new(text))
    }
}

/// The rules that the command line or a settings file selects and ignores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RuleChoices {
    /// The selected rules; `None` to keep the rules that are reported without this selection.
    pub(crate) select: Option<Vec<RuleChoice>>,
    pub(crate) ignore: Vec<RuleChoice>,
}

impl RuleChoices {
    /// Whether a rule is reported after these choices. `before` says whether it was reported before them.
    fn decide(&self, rule: Rule, before: bool) -> bool {
        let narrowest = |choices: &[RuleChoice]| {
            let names = choices.iter().filter(|it| it.names(rule));
            names.map(RuleChoice::narrowness).max()
        };
        let selected = self.select.as_deref().and_then(narrowest);
        match (selected, narrowest(&self.ignore)) {
            (Some(selected), Some(ignored)) => selected > ignored,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => before && self.select.is_none(),
        }
    }
}

/// Rules that are not reported for tests of some files.
#[derive(Debug)]
pub(crate) struct FileIgnores {
    /// The files for which rules are not reported, relative to the folder of the settings file.
    pub(crate) files: FileGlobs,
    pub(crate) rules: Vec<RuleChoice>,
}

/// The rules that a scan of one root reports.
#[derive(Debug)]
pub(crate) struct RuleSelection<'s> {
    reported: BTreeSet<Rule>,
    /// Rules that are not reported for tests of some files, as the settings say.
    file_ignores: &'s [FileIgnores],
    /// The path from the folder of the settings file to the scanned root: `services/orders/`. Empty if the root is that
    /// folder or not inside it.
    inside: &'s str,
}

impl<'s> RuleSelection<'s> {
    /// The rules that are on by default, changed by the choices of the settings and then by those of the command line.
    pub(crate) fn new(
        settings: &RuleChoices,
        command_line: &RuleChoices,
        file_ignores: &'s [FileIgnores],
        inside: &'s str,
    ) -> Self {
        let is_reported = |rule: &Rule| {
            let by_settings = settings.decide(*rule, is_default(*rule));
            command_line.decide(*rule, by_settings)
        };
        Self {
            reported: Rule::all().iter().copied().filter(is_reported).collect(),
            file_ignores,
            inside,
        }
    }

    /// Whether findings by `rule` are reported for tests of a file. Its path is relative to the scanned root.
    pub(crate) fn reports(&self, rule: Rule, file: &str) -> bool {
        if !self.reported.contains(&rule) {
            return false;
        }
        let mut ignores = self.file_ignores.iter();
        let names = |it: &FileIgnores| it.rules.iter().any(|it| it.names(rule));
        !ignores.any(|it| names(it) && it.files.name(&format!("{}{file}", self.inside)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(select: Option<&str>, ignore: &str) -> RuleChoices {
        let parsed = |text: &str| -> Vec<RuleChoice> {
            let names = text.split(',').filter(|it| !it.is_empty());
            names.map(|it| it.parse().unwrap()).collect()
        };
        RuleChoices {
            select: select.map(parsed),
            ignore: parsed(ignore),
        }
    }

    fn ids(settings: &RuleChoices, command_line: &RuleChoices) -> Vec<&'static str> {
        let selection = RuleSelection::new(settings, command_line, &[], "");
        let rules = Rule::all().iter().filter(|it| selection.reports(**it, "T.java"));
        rules.map(|it| it.id()).collect()
    }

    fn chosen(select: Option<&str>, ignore: &str) -> Vec<&'static str> {
        ids(&RuleChoices::default(), &choices(select, ignore))
    }

    #[test]
    fn habits_and_a_few_others_are_off_by_default() {
        let default = chosen(None, "");
        assert!(default.contains(&"PLR101") && default.contains(&"PLR501"));
        for id in ["PLR110", "PLR205", "PLR502", "PLR207", "PLR403", "PLR601", "PLR605"] {
            assert!(!default.contains(&id), "{id}");
        }
        assert_eq!(chosen(Some("DEFAULT"), ""), default);
        assert_eq!(chosen(Some("DEFAULT,PLR601"), "").len(), default.len() + 1);
    }

    #[test]
    fn the_narrower_name_wins_and_of_equals_the_ignored_one() {
        assert_eq!(chosen(Some("PLR4"), "PLR40"), Vec::<&str>::new());
        assert_eq!(chosen(Some("PLR4"), "fixed-path"), ["PLR401", "PLR402", "PLR404"]);
        assert_eq!(chosen(Some("PLR101"), "PLR1"), ["PLR101"]);
        assert_eq!(chosen(Some("ORDER"), "PLR1"), Vec::<&str>::new());
        assert_eq!(chosen(Some(""), ""), Vec::<&str>::new(), "no rule at all");
    }

    #[test]
    fn the_command_line_replaces_a_selection_and_adds_to_what_is_ignored() {
        let settings = choices(Some("PLR4"), "PLR401");
        assert_eq!(ids(&settings, &choices(None, "PLR402")), ["PLR403", "PLR404"]);
        assert_eq!(ids(&settings, &choices(Some("PLR401"), "")), ["PLR401"]);
    }

    #[test]
    fn rules_are_ignored_in_the_files_that_a_glob_names() {
        let ignores = [FileIgnores {
            files: FileGlobs::new(["orders/legacy/"]).unwrap(),
            rules: vec!["PLR1".parse().unwrap()],
        }];
        let none = RuleChoices::default();
        let selection = RuleSelection::new(&none, &none, &ignores, "orders/");
        let reports = |rule, file: &str| selection.reports(rule, file);
        assert!(!reports(Rule::UnorderedTextCompared, "legacy/ATest.java"));
        assert!(reports(Rule::UnorderedTextCompared, "src/ATest.java"));
        assert!(reports(Rule::FixedPort, "legacy/ATest.java"));
    }

    #[test]
    fn an_unknown_name_suggests_those_that_are_near() {
        let error = "sleep-before-asertion".parse::<RuleChoice>().unwrap_err().to_string();
        assert!(error.contains("did you mean sleep-before-assertion"), "{error}");
        let error = "weather".parse::<RuleChoice>().unwrap_err().to_string();
        assert_eq!(error, "`weather` is not a rule; `peeler rules` lists them");
    }
}
