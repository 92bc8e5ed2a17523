//! What a scan remembers for the next one: every test with what was said about it and the files that this rests on.
//!
//! After a change only the tests are judged anew that rest on a changed file, or whose files mention a name that a
//! changed file declares differently; the rest is taken over. See `peeler_analysis::Face` for why that is enough.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use peeler_analysis::{Analysis, Face, Part, Repository};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use crate::finding::{Finding, LIKELIEST};

/// What a scan remembers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    files: Vec<RememberedFile>,
    tests: Vec<Judgement>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct RememberedFile {
    path: String,
    digest: u64,
    face: Face,
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
    pub(crate) grounds: Vec<usize>,
    /// What a closer look showed, where there was one.
    pub(crate) look: Option<Look>,
}

impl Judgement {
    fn class(&self) -> &str {
        self.test.split('#').next().unwrap_or_default()
    }

    /// What a report says about it, where somebody looked and nobody asks for silence.
    pub(crate) fn finding(&self) -> Option<Finding> {
        match self.look.as_ref()? {
            Look::Suppressed => None,
            Look::Found(found) => found.finding(),
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
    changed_files: Vec<usize>,
    /// Of the files as they are now, by path. What is known of members has to stay: tests that are taken over may have
    /// looked for one.
    faces: HashMap<String, Face>,
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
        }
    }
}

impl Memory {
    /// What is remembered after a scan. `kept` is what it took over.
    pub(crate) fn new(
        repository: &Repository,
        analysis: &Analysis<'_>,
        kept: Option<Kept>,
        tests: Vec<Judgement>,
    ) -> Self {
        let mut known = kept.map(|it| it.faces).unwrap_or_default();
        let known = repository.files().iter().map(|it| known.remove(it.path()));
        let faces = analysis.faces(known.collect());
        let digests = repository.digests();
        let files = repository.files().iter().zip(faces).zip(digests);
        let remembered = files.map(|((file, face), digest)| RememberedFile {
            path: file.path().to_owned(),
            digest,
            face,
        });
        Self {
            files: remembered.collect(),
            tests,
        }
    }

    /// What of it still holds for the repository as it is now; none where everything may have changed.
    pub(crate) fn kept(self, repository: &Repository) -> Option<Kept> {
        let change = Change::between(&self.files, repository)?;
        let mentioning = repository.files_that_mention(&change.names.iter().map(String::as_str).collect());
        let mentioning: HashSet<usize> = mentioning.into_iter().collect();
        // From places of then to places of now, for files that a test may still rest on.
        let places: HashMap<&str, usize> = repository
            .files()
            .iter()
            .enumerate()
            .filter(|(at, _)| !change.files.contains_key(at) && !mentioning.contains(at))
            .map(|(at, it)| (it.path(), at))
            .collect();
        let files = self.files.iter();
        let now: Vec<Option<usize>> = files.map(|it| places.get(it.path.as_str()).copied()).collect();
        let place = |then: &usize| now.get(*then).copied().flatten();
        let mut tests = Vec::with_capacity(self.tests.len());
        let mut classes = HashSet::new();
        for test in self.tests {
            match test.grounds.iter().map(place).collect::<Option<Vec<usize>>>() {
                Some(grounds) => tests.push(Judgement { grounds, ..test }),
                None => {
                    classes.insert(test.class().to_owned());
                }
            }
        }
        let mut faces: HashMap<String, Face> = self.files.into_iter().map(|it| (it.path, it.face)).collect();
        for (at, face) in &change.files {
            faces.insert(repository.files()[*at].path().to_owned(), face.clone());
        }
        Some(Kept {
            tests,
            classes,
            faces,
            changed_files: change.files.into_keys().collect(),
        })
    }
}

/// What happened to the files of a repository.
struct Change {
    /// Files that are new or different, as places among those of today, with their faces.
    files: BTreeMap<usize, Face>,
    /// Names that mean something else.
    names: BTreeSet<String>,
}

impl Change {
    /// None where what counts as a test may have changed.
    fn between(then: &[RememberedFile], repository: &Repository) -> Option<Self> {
        let mut gone: BTreeMap<&str, &RememberedFile> = then.iter().map(|it| (it.path.as_str(), it)).collect();
        let mut change = Self {
            files: BTreeMap::new(),
            names: BTreeSet::new(),
        };
        for (at, (file, digest)) in repository.files().iter().zip(repository.digests()).enumerate() {
            let before = gone.remove(file.path());
            if before.is_some_and(|it| it.digest == digest) {
                continue;
            }
            let now = Face::of(file);
            if now.declares_annotation() || before.is_some_and(|it| it.face.declares_annotation()) {
                return None;
            }
            match before {
                Some(before) => {
                    let names = before.face.difference(&now);
                    change.names.extend(names.into_iter().map(str::to_owned));
                }
                None => change.names.extend(now.names().iter().cloned()),
            }
            change.files.insert(at, now);
        }
        for file in gone.values() {
            if file.face.declares_annotation() {
                return None;
            }
            change.names.extend(file.face.names().iter().cloned());
        }
        Some(change)
    }
}
