//! What a scan remembers for the next one: every test with what was said about it and the files that this rests on.
//!
//! After a change only the tests are judged anew that rest on a changed file, or whose files mention a name that a
//! changed file declares differently; the rest is taken over. See `peeler_analysis::FileInterface` for why that is enough.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use peeler_analysis::{Analysis, FileId, FileInterface, Part, Repository, SourceFile};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use crate::finding::{Finding, LIKELIEST};

/// What a scan remembers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    files: Vec<RememberedFile>,
    /// Annotations that make a method a test.
    test_annotations: Vec<String>,
    tests: Vec<Judgement>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RememberedFile {
    path: String,
    digest: u64,
    face: FileInterface,
}

/// A test with what was said about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Judgement {
    /// `package.Class#method`.
    pub(crate) test: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) probability: f32,
    /// The strongest paths by their number, with their attention.
    pub(crate) strongest: Vec<(u32, f32)>,
    /// The files that it rests on, as places among the files of the scan that judged it.
    pub(crate) grounds: Vec<FileId>,
    /// What a closer look showed, where there was one.
    pub(crate) look: Option<Look>,
}

impl Judgement {
    fn class(&self) -> &str {
        self.test.split('#').next().unwrap_or_default()
    }

    /// Notes what a closer look showed, and the files that this rests on.
    pub(crate) fn found(&mut self, finding: Finding, grounds: Vec<FileId>) {
        self.look = Some(Look::Found(Found::Fresh(Box::new(finding))));
        self.grounds = grounds;
    }

    /// Whether nothing that an earlier scan saw of it was taken over.
    pub(crate) fn is_fresh(&self) -> bool {
        matches!(self.look, None | Some(Look::Found(Found::Fresh(_))))
    }

    /// What a report says about it, where somebody looked and nobody asks for silence.
    pub(crate) fn finding(&self) -> Option<Finding> {
        match self.look.as_ref()? {
            Look::Suppressed => None,
            Look::Found(found) => found.finding(),
        }
    }

    /// The same where nothing else will be asked of it.
    pub(crate) fn take_finding(&mut self) -> Option<Finding> {
        match self.look.take()? {
            Look::Found(Found::Fresh(finding)) => Some(*finding),
            look => {
                self.look = Some(look);
                self.finding()
            }
        }
    }
}

/// What a closer look at a test showed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Look {
    /// Its code asks for silence.
    Suppressed,
    /// What a report says about it.
    Found(Found),
}

/// A finding, or its JSON as long as nobody needs more.
#[derive(Debug, Clone)]
pub(crate) enum Found {
    Fresh(Box<Finding>),
    Stored(Vec<u8>),
}

impl Found {
    /// The finding; none where what was stored is not one, which a look at the test mends.
    pub(crate) fn finding(&self) -> Option<Finding> {
        match self {
            Self::Fresh(finding) => Some((**finding).clone()),
            Self::Stored(json) => serde_json::from_slice(json).ok(),
        }
    }
}

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fresh(finding) => {
                let json = serde_json::to_vec(finding).map_err(ser::Error::custom)?;
                serializer.serialize_bytes(&json)
            }
            Self::Stored(json) => serializer.serialize_bytes(json),
        }
    }
}

impl<'de> Deserialize<'de> for Found {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Serde would read a list of numbers one by one.
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Found;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, json: &[u8]) -> Result<Found, E> {
                Ok(Found::Stored(json.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// What is left of a memory after the repository changed.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Tests about which nothing changed; grounds are places among the files of today.
    pub(crate) tests: Vec<Judgement>,
    /// Classes with tests that have to be judged anew,
    pub(crate) classes: HashSet<String>,
    /// and files that may hold others.
    changed_files: Vec<FileId>,
    /// What those tests rested on.
    grounds: Vec<FileId>,
    /// Of the files as they are now, in their order. What is known of members has to stay: tests that are taken over may
    /// have looked for one.
    pub(crate) faces: Vec<FileInterface>,
    test_annotations: Vec<String>,
}

impl Kept {
    /// Whether nothing is to be judged anew.
    pub(crate) fn is_everything(&self) -> bool {
        self.classes.is_empty() && self.changed_files.is_empty()
    }

    /// Adds the classes of tests that a report with this threshold needs a look at, and that nobody looked at yet: those
    /// among the first `top` that may be listed, of which the `proven` ones are the very first; where none is, the likeliest.
    pub(crate) fn look_again_at(&mut self, threshold: f32, proven: &BTreeSet<String>, top: Option<usize>) {
        let is_proven = |it: &Judgement| proven.contains(&it.test);
        let is_listed = |it: &&Judgement| it.probability >= threshold || is_proven(it);
        let mut above: Vec<&Judgement> = self.tests.iter().collect();
        above.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.test.cmp(&b.test)));
        if above.iter().any(is_listed) {
            above.retain(is_listed);
        } else {
            above.truncate(LIKELIEST);
        }
        above.sort_by_key(|it| !is_proven(it));
        above.retain(|it| !matches!(it.look, Some(Look::Suppressed)));
        let listed = above.into_iter().take(top.unwrap_or(usize::MAX));
        let without = listed.filter(|it| it.look.is_none()).map(|it| it.class().to_owned());
        self.classes.extend(without);
    }

    /// What has to be looked at.
    pub(crate) fn part(&self) -> Part<'_> {
        Part {
            classes: &self.classes,
            files: &self.changed_files,
            dependencies: &self.grounds,
            interfaces: &self.faces,
            test_annotations: &self.test_annotations,
        }
    }
}

impl Memory {
    /// What is remembered after a scan. `known` are the faces of the files as far as the scan took them over.
    pub(crate) fn new(
        repository: &Repository,
        analysis: &Analysis<'_>,
        known: Vec<FileInterface>,
        tests: Vec<Judgement>,
    ) -> Self {
        let files = repository.files().iter().zip(analysis.file_interfaces(known));
        let remembered = files.map(|(file, face)| RememberedFile {
            path: file.path().to_owned(),
            digest: file.digest(),
            face,
        });
        Self {
            files: remembered.collect(),
            test_annotations: analysis.test_annotations().to_vec(),
            tests,
        }
    }

    /// What of it still holds for the repository as it is now; none where everything may have changed.
    pub(crate) fn kept(self, repository: &Repository) -> Option<Kept> {
        let mut change = Change::default();
        let mut before: Vec<Option<RememberedFile>> = repository.files().iter().map(|_| None).collect();
        // From places of then to places of now.
        let mut places = Vec::with_capacity(self.files.len());
        for file in self.files {
            let now = repository.file_id(&file.path);
            match now {
                Some(now) => before[now.position()] = Some(file),
                None => change.without(&file.face)?,
            }
            places.push(now);
        }
        let mut faces = Vec::with_capacity(before.len());
        for (at, (file, before)) in repository.files().iter().zip(before).enumerate() {
            faces.push(match before {
                Some(before) if before.digest == file.digest() => before.face,
                before => change.with(FileId::new(at), file, before.map(|it| it.face))?,
            });
        }
        let mut is_concerned = vec![false; faces.len()];
        let mentioning = repository.files_that_mention(&change.names.iter().map(String::as_str).collect());
        for at in mentioning.into_iter().chain(change.files.iter().copied()) {
            is_concerned[at.position()] = true;
        }
        let mut tests = Vec::with_capacity(self.tests.len());
        let mut classes = HashSet::new();
        let mut grounds = BTreeSet::new();
        for mut test in self.tests {
            let mut stands = true;
            test.grounds.retain_mut(|ground| {
                let now = places.get(ground.position()).copied().flatten();
                stands &= now.is_some_and(|now| !is_concerned[now.position()]);
                now.inspect(|now| *ground = *now).is_some()
            });
            if stands {
                tests.push(test);
            } else {
                classes.insert(test.class().to_owned());
                grounds.extend(test.grounds);
            }
        }
        Some(Kept {
            tests,
            classes,
            changed_files: change.files,
            grounds: grounds.into_iter().collect(),
            faces,
            test_annotations: self.test_annotations,
        })
    }
}

/// What happened to the files of a repository.
#[derive(Default)]
struct Change {
    /// Files that are new or different, as places among those of today.
    files: Vec<FileId>,
    /// Names that mean something else.
    names: BTreeSet<String>,
}

impl Change {
    /// Notes a file that is gone. None where what counts as a test may have changed.
    fn without(&mut self, face: &FileInterface) -> Option<()> {
        self.names.extend(face.names().map(str::to_owned));
        (!face.declares_annotation()).then_some(())
    }

    /// Notes a file that is new or different, and gives its face. None where what counts as a test may have changed.
    fn with(&mut self, at: FileId, file: &SourceFile, before: Option<FileInterface>) -> Option<FileInterface> {
        let now = FileInterface::of(file);
        match &before {
            Some(before) => self
                .names
                .extend(before.difference(&now).into_iter().map(str::to_owned)),
            None => self.names.extend(now.names().map(str::to_owned)),
        }
        self.files.push(at);
        let declares_annotation = now.declares_annotation() || before.is_some_and(|it| it.declares_annotation());
        (!declares_annotation).then_some(now)
    }
}
