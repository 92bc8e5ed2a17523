//! Uses of ports, hosts and paths, with a constant or with a parameter whose value a caller knows.

use peeler_features::Rule;

use super::catalogue::Use;
use super::judgement::{judge, judge_without_value};
use super::value::Term;
use crate::flows::flow::Site;

/// A call that uses a constant port, host or path, with all that the flow about it shows: rule, words and places.
#[derive(Debug, Clone)]
pub(super) struct FoundUse {
    pub(super) rule: Rule,
    pub(super) what: String,
    /// The call that the constant port, host or path is given to.
    pub(super) source: Site,
    /// The calls that pass the constant port, host or path on as an argument; the last one uses it.
    pub(super) steps: Vec<Site>,
    /// The number of calls between the test's own classes and the call that is given the constant port, host or path.
    pub(super) depth: u8,
    pub(super) settled_by: Option<Site>,
}

/// A use of a port, host or path whose value the caller of the method passes in.
#[derive(Debug, Clone)]
pub(super) struct OpenUse {
    pub(super) kind: Use,
    pub(super) term: Term,
    pub(super) site: Site,
    /// The calls between the method and the call that uses the method's parameter, outermost first.
    pub(super) steps: Vec<Site>,
}

/// The uses of ports, hosts and paths in a method and in the code that it calls.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) found: Vec<FoundUse>,
    pub(super) open: Vec<OpenUse>,
}

impl Summary {
    /// Adds a use of a port whatever its number, such as a search for a free port.
    pub(super) fn find(&mut self, kind: Use, site: Site) {
        if let Some(judgement) = judge_without_value(kind) {
            self.found.push(FoundUse {
                rule: judgement.rule,
                what: judgement.what,
                source: site,
                steps: Vec::new(),
                depth: 0,
                settled_by: None,
            });
        }
    }

    /// Adds a use of a port, host or path: to `found` if its value is a constant, to `open` if a caller knows the
    /// value.
    pub(super) fn add(&mut self, open: OpenUse, source: Site, steps: Vec<Site>) {
        match &open.term {
            Term::Known(value, constant) => {
                if let Some(judgement) = judge(open.kind, value) {
                    // What a helper does with any value is to be changed in the helper.
                    let is_at_use = open.kind.is_about_call() && open.site.file == source.file;
                    let (source, steps) = if is_at_use {
                        (open.site, Vec::new())
                    } else {
                        (source, steps)
                    };
                    self.found.push(FoundUse {
                        rule: judgement.rule,
                        what: judgement.what,
                        source,
                        steps,
                        depth: 0,
                        settled_by: judgement.is_settled.then_some(*constant),
                    });
                }
            }
            Term::Parameter(..) | Term::Constructed(..) | Term::Path(..) => self.open.push(open),
            Term::Unknown => {}
        }
    }
}
