//! The selection of tests from a corpus, as a corpus that contains nothing else.

use rustc_hash::FxHashMap;

use crate::corpus::{Corpus, MethodRecord, TestRecord};
use crate::records::renumbered;
use peeler_features::{TextId, narrow};

impl Corpus {
    /// Whether the graphs and paths of tests are stored, and not their sizes alone.
    #[must_use]
    pub fn has_graphs(&self) -> bool {
        !self.tests.iter().any(|it| it.features.graph.is_size_only())
    }

    /// This corpus with only the sizes of graphs and paths. It is several times smaller. Models that read no paths learn
    /// the same from it.
    #[must_use]
    pub fn without_graphs(mut self) -> Self {
        for test in &mut self.tests {
            test.features.graph = test.features.graph.size_only();
        }
        self.selected(|it| Some(it.flaky))
    }

    /// A corpus of the tests to which `label` gives a label: `true` for flaky, `false` for stable.
    ///
    /// Texts, methods and projects that no selected test refers to are left out.
    #[must_use]
    pub fn selected(&self, mut label: impl FnMut(&TestRecord) -> Option<bool>) -> Self {
        let mut selection = Selection {
            from: self,
            selected: Self::default(),
            projects: FxHashMap::default(),
            texts: FxHashMap::default(),
            methods: FxHashMap::default(),
        };
        for test in &self.tests {
            if let Some(flaky) = label(test) {
                selection.add(test, flaky);
            }
        }
        selection.selected
    }
}

/// A selection in the making: the new corpus, and the new number of everything that was taken over into it.
struct Selection<'c> {
    from: &'c Corpus,
    selected: Corpus,
    projects: FxHashMap<u32, u32>,
    texts: FxHashMap<TextId, TextId>,
    methods: FxHashMap<u32, u32>,
}

impl Selection<'_> {
    fn add(&mut self, test: &TestRecord, flaky: bool) {
        let mut test = test.clone();
        test.project = self.project(test.project);
        test.flaky = flaky;
        let Self {
            from,
            selected,
            projects,
            texts,
            methods,
        } = self;
        let Corpus {
            strings, methods: kept, ..
        } = &mut *selected;
        let mut text = |id: TextId| {
            *texts.entry(id).or_insert_with(|| {
                strings.push(from.strings[id as usize].clone());
                narrow(strings.len() - 1)
            })
        };
        let mut used: Vec<u32> = test
            .features
            .graph
            .edges
            .iter()
            .flat_map(|it| &it.methods)
            .copied()
            .collect();
        used.sort_unstable();
        used.dedup();
        for at in used {
            if methods.contains_key(&at) {
                continue;
            }
            let method = &from.methods[at as usize];
            let known = projects.get(&method.project).copied();
            methods.insert(at, narrow(kept.len()));
            kept.push(MethodRecord {
                // A test refers to methods of its own project only.
                project: known.unwrap_or(test.project),
                words: method.words.iter().map(|it| text(*it)).collect(),
                contexts: method.contexts.iter().map(|it| it.map(&mut text)).collect(),
                signature: method.signature.clone(),
            });
        }
        test.features = renumbered(test.features, text, |it| methods[&it]);
        selected.tests.push(test);
    }

    fn project(&mut self, at: u32) -> u32 {
        let Self {
            from,
            selected,
            projects,
            ..
        } = self;
        *projects.entry(at).or_insert_with(|| {
            selected.projects.push(from.projects[at as usize].clone());
            narrow(selected.projects.len() - 1)
        })
    }
}
