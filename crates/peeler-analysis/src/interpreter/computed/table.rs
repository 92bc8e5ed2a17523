//! The table of library facts: how it is stored, and how a fact about a library method is found in it.
//!
//! ```text
//! "PEELLIBS"  version (1 byte)  XXH3 of the rows (8 bytes)  the rows, deflated
//! ```

use std::io::{Read, Write};
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::fact::MethodFact;
use super::rows::{Rows, TypeRow, rows};
use super::survey::LibrarySurvey;
use crate::interpreter::facts::IterationOrder;
use crate::interpreter::value::Form;
use crate::repository::narrow;
use crate::stable_hash::hash_bytes;

/// The bytes at the start of every stored table of library facts.
const MAGIC: &[u8; 8] = b"PEELLIBS";
/// The version of the format of stored tables of library facts. It must change when [`Rows`], or an enum in it,
/// changes.
const VERSION: u8 = 1;
/// The number of bytes before the deflated rows in a stored table of library facts.
const HEADER: usize = MAGIC.len() + 1 + size_of::<u64>();
/// The maximum number of bytes that the rows of a stored table of library facts may have after inflation.
const MAX_BYTES: u64 = 64 << 20;
/// The number of classes after which the search for the supertypes of a library class stops.
const MAX_ANCESTORS: usize = 64;

/// The reason why bytes cannot be read as a table of library facts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// The bytes are something else: they do not start as every stored table of library facts does.
    #[error("this is no table of library facts; `peeler libraries build` writes one")]
    Foreign,
    /// The table of library facts has a format that this version of the program does not read.
    #[error("the table has version {found} and this program reads version {VERSION}; build it again")]
    OtherVersion {
        /// The version of the format in which the table of library facts is stored.
        found: u8,
    },
    /// The table of library facts was truncated or changed after it was written.
    #[error("the table is damaged: it is truncated or was changed; build it again")]
    Damaged,
}

/// The table of library facts: how nondeterministic the results of library methods are. The interpreter computed the
/// facts from the sources of the libraries.
#[derive(Debug, Default)]
pub struct LibraryTable {
    rows: Rows,
    /// The byte offset of each name in [`Rows::text`], which joins all names, and the end of the last name.
    starts: Vec<u32>,
    /// The position of the first class with a simple name, by the hash of this name. Of names with the same hash, the
    /// first one.
    first_named: FxHashMap<u64, u32>,
    /// For each class, the position of its first method in [`Rows::methods`]; at the end, the length of that list.
    first_methods: Vec<u32>,
}

/// The numbers of classes and methods in a table of library facts, by what the facts say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TableSize {
    /// The number of library classes that are containers or have methods with facts, or that inherit from such a class.
    pub classes: usize,
    /// The number of library classes whose instances are containers of a known form: a list, a set, a map and so on.
    pub classes_with_form: usize,
    /// The number of library methods whose fact says something about nondeterminism. A method counts only in the class
    /// that declares it.
    pub methods: usize,
    /// The number of library methods whose result has no defined order, whatever the arguments are.
    pub unordered: usize,
    /// The number of library methods whose result differs from run to run, whatever the arguments are: they read the
    /// clock, for example.
    pub varying: usize,
    /// The number of library methods whose result shows the undefined order of an argument, as a text with all its
    /// elements does.
    pub order_passed: usize,
    /// The number of library methods that put the elements of an unordered argument into a defined order, as a sort
    /// does.
    pub order_settled: usize,
    /// The number of library methods whose result changes with a scalar argument, such as a number or text.
    pub value_passed: usize,
}

static SHIPPED: LazyLock<LibraryTable> = LazyLock::new(|| {
    LibraryTable::from_bytes(include_bytes!("../../../libraries/facts.bin")).expect("a test reads the shipped table")
});
static EMPTY: LazyLock<LibraryTable> = LazyLock::new(LibraryTable::default);

impl LibraryTable {
    /// The table of library facts that is built into the program.
    ///
    /// # Panics
    ///
    /// When the built-in table of this build is damaged.
    #[must_use]
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// A table without any facts about library methods.
    pub(in crate::interpreter) fn empty() -> &'static Self {
        &EMPTY
    }

    /// One table of library facts, made from the facts about each library. Where two libraries declare the same class,
    /// the first one counts.
    #[must_use]
    pub fn new(surveys: Vec<LibrarySurvey>) -> Self {
        Self::of(rows(surveys))
    }

    fn of(rows: Rows) -> Self {
        let mut starts = vec![0];
        starts.extend(rows.lengths.iter().scan(0, |end, length| {
            *end += u32::from(*length);
            Some(*end)
        }));
        let mut first_methods = vec![0];
        first_methods.extend(rows.types.iter().scan(0, |end, row| {
            *end += u32::from(row.methods);
            Some(*end)
        }));
        let mut table = Self {
            rows,
            starts,
            first_named: FxHashMap::default(),
            first_methods,
        };
        for (at, row) in table.rows.types.iter().enumerate() {
            let hash = hash_bytes(table.name(row.simple).as_bytes());
            table.first_named.entry(hash).or_insert(narrow(at));
        }
        table
    }

    /// Reads a table of library facts from the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    ///
    /// When the bytes are no table, are truncated or changed, or have a format that this version of the program does
    /// not read.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        if !bytes.starts_with(MAGIC) {
            return Err(TableError::Foreign);
        }
        let header = bytes.get(..HEADER).ok_or(TableError::Damaged)?;
        if header[MAGIC.len()] != VERSION {
            return Err(TableError::OtherVersion {
                found: header[MAGIC.len()],
            });
        }
        let hash = &header[MAGIC.len() + 1..];
        let mut inflated = Vec::new();
        let mut decoder = DeflateDecoder::new(&bytes[HEADER..]).take(MAX_BYTES);
        decoder.read_to_end(&mut inflated).map_err(|_| TableError::Damaged)?;
        if hash_bytes(&inflated).to_le_bytes() != hash {
            return Err(TableError::Damaged);
        }
        let rows: Rows = postcard::from_bytes(&inflated).map_err(|_| TableError::Damaged)?;
        if !rows.is_consistent() {
            return Err(TableError::Damaged);
        }
        Ok(Self::of(rows))
    }

    /// The bytes in which the table of library facts is stored: a header and the compressed rows.
    ///
    /// # Panics
    ///
    /// Never: writing into memory cannot fail.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = postcard::to_stdvec(&self.rows).expect("memory takes all rows");
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend(hash_bytes(&rows).to_le_bytes());
        let mut encoder = DeflateEncoder::new(bytes, Compression::best());
        encoder.write_all(&rows).expect("memory takes all bytes");
        encoder.finish().expect("memory takes all bytes")
    }

    fn name(&self, number: u32) -> &str {
        let at = number as usize;
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        &self.rows.text[range]
    }

    /// The library classes of the table whose simple name is `simple`. Each is given by its package, with enclosing
    /// classes, and by its position in the table.
    pub(in crate::interpreter) fn named<'t>(&'t self, simple: &'t str) -> impl Iterator<Item = (&'t str, usize)> + 't {
        let types = &self.rows.types;
        let first = match self.first_named.get(&hash_bytes(simple.as_bytes())) {
            Some(first) if self.name(types[*first as usize].simple) == simple => *first as usize,
            Some(_) => types.partition_point(|it| self.name(it.simple) < simple),
            None => types.len(),
        };
        let same = move |it: &&TypeRow| self.name(it.simple) == simple;
        let found = types[first..].iter().take_while(same);
        found
            .enumerate()
            .map(move |(at, row)| (self.name(row.qualifier), first + at))
    }

    /// The form of the instances of a library class, such as list or map, and the order in which they are iterated.
    /// `class` is its position in the table. A class of unknown form has the form and order of its nearest supertype
    /// with a known form.
    pub(in crate::interpreter) fn form(&self, class: usize) -> (Form, Option<IterationOrder>) {
        let row = |at: &usize| {
            let row = &self.rows.types[*at];
            (row.form != Form::Unknown).then_some((row.form, row.order))
        };
        self.ancestors(class).iter().find_map(row).unwrap_or_default()
    }

    /// The fact about the library method `name` with so many `arguments`, which a class declares or inherits. `class`
    /// is its position in the table. `None` if the table says nothing about its nondeterminism.
    pub(in crate::interpreter) fn method(&self, class: usize, name: &str, arguments: usize) -> Option<&MethodFact> {
        let found = self.ancestors(class).into_iter().find_map(|at| {
            let range = self.first_methods[at] as usize..self.first_methods[at + 1] as usize;
            self.rows.methods[range].iter().find(|it| {
                let parameters = usize::from(it.parameters);
                let fits = parameters == arguments || it.is_variadic && arguments + 1 >= parameters;
                fits && self.name(it.name) == name
            })
        })?;
        let fact = &self.rows.facts[found.fact as usize];
        (!fact.is_trivial()).then_some(fact)
    }

    /// The positions in the table of a library class and its supertypes, from near to far.
    fn ancestors(&self, class: usize) -> Vec<usize> {
        let mut found = vec![class];
        let mut at = 0;
        while at < found.len() && found.len() < MAX_ANCESTORS {
            for supertype in &self.rows.types[found[at]].supertypes {
                let supertype = *supertype as usize;
                if !found.contains(&supertype) {
                    found.push(supertype);
                }
            }
            at += 1;
        }
        found
    }

    /// The table of library facts as text: a line for each container class and for each method with its fact, sorted.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (at, row) in self.rows.types.iter().enumerate() {
            let qualifier = self.name(row.qualifier);
            let separator = if qualifier.is_empty() { "" } else { "." };
            let class = format!("{qualifier}{separator}{}", self.name(row.simple));
            if row.form != Form::Unknown {
                let order = row.order.map_or_else(String::new, |it| format!(", {it:?}"));
                lines.push(format!("{class}: {:?}{order}", row.form));
            }
            let range = self.first_methods[at] as usize..self.first_methods[at + 1] as usize;
            for method in &self.rows.methods[range] {
                let fact = &self.rows.facts[method.fact as usize];
                let rest = if method.is_variadic { "+" } else { "" };
                let name = self.name(method.name);
                lines.push(format!("{class}.{name}/{}{rest}: {fact}", method.parameters));
            }
        }
        lines.sort_unstable();
        lines
    }

    /// The numbers of classes and methods in this table of library facts, by what the facts say.
    #[must_use]
    pub fn size(&self) -> TableSize {
        use super::fact::OrderFlow;
        let facts = || self.rows.methods.iter().map(|it| &self.rows.facts[it.fact as usize]);
        let count = |is: &dyn Fn(&MethodFact) -> bool| facts().filter(|it| is(it)).count();
        TableSize {
            classes: self.rows.types.len(),
            classes_with_form: self.rows.types.iter().filter(|it| it.form != Form::Unknown).count(),
            methods: count(&|it| !it.is_trivial()),
            unordered: count(&|it| it.order.is_some()),
            varying: count(&|it| !it.taints.is_empty()),
            order_passed: count(&|it| it.parameters.iter().any(|it| matches!(it.order, OrderFlow::Shown(_)))),
            order_settled: count(&|it| it.parameters.iter().any(|it| it.order == OrderFlow::Settled)),
            value_passed: count(&|it| it.parameters.iter().any(|it| it.has_taints)),
        }
    }
}
