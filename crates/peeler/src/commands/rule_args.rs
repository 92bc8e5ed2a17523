//! The options `--select` and `--ignore`.

use clap::Args;

use crate::rule_selection::{RuleChoice, RuleChoices};

/// The options `--select` and `--ignore`, which choose the rules that are reported.
#[derive(Debug, Args)]
pub(crate) struct RuleArgs {
    /// Report only these rules: ids, names, starts of ids (PLR1), families (ORDER), DEFAULT or ALL, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Option<Vec<RuleChoice>>,
    /// Do not report these rules, named as for --select. If both options name a rule, the narrower name wins
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    ignore: Vec<RuleChoice>,
}

impl RuleArgs {
    /// The rules that the options `--select` and `--ignore` name.
    pub(crate) fn choices(&self) -> RuleChoices {
        RuleChoices {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
        }
    }
}
