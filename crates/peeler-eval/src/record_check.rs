//! Checks of test and method records that were read from a file: everything that they refer to must exist.

use peeler_features::{CauseKind, Coded, MAX_DEPTH, TextId};

use crate::records::{CauseRecord, CodeRecord, FeatureRecord, GraphRecord, MethodRecord, OracleRecord, TestRecord};

/// The highest number that a group or family of tests may have. It leaves room to merge many corpora before numbers
/// overflow.
const MOST_GROUPS: u32 = 1 << 24;

/// The numbers of projects, texts and methods of a corpus, to which records refer by index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableSizes {
    pub(crate) projects: usize,
    pub(crate) strings: usize,
    pub(crate) methods: usize,
}

impl TableSizes {
    /// Checks that the project and the texts whose indices a stored method holds exist. An error names the index that
    /// is too large.
    pub(crate) fn check_method(self, method: &MethodRecord) -> Result<(), String> {
        exists("project", method.project, self.projects)?;
        self.texts(&method.words)?;
        method.contexts.iter().try_for_each(|it| self.texts(it))
    }

    /// Checks that everything whose index a stored test holds exists: its project, texts, methods, nodes and edges. Its
    /// counts and call depths must be in range too. An error names what is wrong.
    pub(crate) fn check_test(self, test: &TestRecord) -> Result<(), String> {
        exists("project", test.project, self.projects)?;
        if test.group > MOST_GROUPS || test.family > MOST_GROUPS {
            return Err(format!("a test is in group {} and family {}", test.group, test.family));
        }
        if let Some((failed, passed)) = test.runs
            && failed.checked_add(passed).is_none()
        {
            return Err(format!("a test ran {failed} and {passed} times"));
        }
        self.features(&test.features)
    }

    fn features(self, record: &FeatureRecord) -> Result<(), String> {
        for texts in [&record.tokens, &record.words, &record.context_words] {
            self.texts(texts)?;
        }
        self.code(&record.body)?;
        self.code(&record.setup)?;
        for cause in &record.causes {
            match cause {
                CauseRecord::FirstDescription(text) => self.texts(&[*text])?,
                CauseRecord::Nearest(Coded::<CauseKind>(_), _) | CauseRecord::First(_) => {}
            }
        }
        for oracle in &record.oracles {
            match oracle {
                OracleRecord::Actual(text, _) => self.texts(&[*text])?,
                OracleRecord::Literals(..) => {}
            }
        }
        self.graph(&record.graph)
    }

    fn code(self, code: &CodeRecord) -> Result<(), String> {
        code.calls.iter().try_for_each(|call| {
            exists("depth", call.depth.into(), MAX_DEPTH + 1)?;
            self.texts(&[call.owner, call.method])
        })
    }

    fn graph(self, graph: &GraphRecord) -> Result<(), String> {
        let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
        graph.nodes.iter().try_for_each(|it| self.texts(&[it.text]))?;
        for edge in &graph.edges {
            self.texts(&[edge.operation])?;
            exists("node", edge.from, nodes)?;
            exists("node", edge.to, nodes)?;
            edge.methods
                .iter()
                .try_for_each(|it| exists("method", *it, self.methods))?;
        }
        // Paths of which only the number is stored are empty.
        let is_size_only = graph.is_size_only();
        let paths = graph.paths.iter().filter(|_| !is_size_only);
        for path in paths {
            if path.len().is_multiple_of(2) {
                return Err("a path does not end with a node".to_owned());
            }
            for step in path.chunks(2) {
                exists("node", step[0], nodes)?;
                step.get(1).map_or(Ok(()), |edge| exists("edge", *edge, edges))?;
            }
        }
        Ok(())
    }

    fn texts(self, texts: &[TextId]) -> Result<(), String> {
        texts.iter().try_for_each(|it| exists("text", *it, self.strings))
    }
}

fn exists(what: &str, index: u32, count: usize) -> Result<(), String> {
    if (index as usize) < count {
        Ok(())
    } else {
        Err(format!("{what} {index} of {count}"))
    }
}
