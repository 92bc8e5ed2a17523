//! The catalogue of calls that use ports, hosts or files: `catalogue/outside.toml`.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::library_class::is_declared_by;
use super::value::Wanted;
use crate::catalogue_text;
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::outline::simple_name;

/// What a call does with a port, host or file: binds a port, connects to a host, writes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Use {
    /// A call that binds a port, such as `new ServerSocket(8080)`.
    BindPort,
    /// A call that binds the port in an address such as `http://localhost:8080`.
    BindAddress,
    /// A call that connects to a host, which it gets by name or in an address.
    Connect,
    /// A call that looks up a host by its name.
    LookUp,
    /// A call that writes or creates a file.
    WritePath,
    /// A call that reads a file.
    ReadPath,
    /// A call that has a file deleted when the JVM exits.
    DeleteOnExit,
    /// A call that returns a port that was free at that moment, but that another process may take.
    FindPort,
    /// A call that hashes or compares a `java.net.URL`.
    HashUrl,
}

impl Use {
    /// Whether a finding about this kind of call is repaired by changing the call itself, as with
    /// `file.deleteOnExit()`. For most other kinds, the port, host or path that the call gets is changed.
    pub(super) fn is_about_call(self) -> bool {
        matches!(self, Self::DeleteOnExit | Self::HashUrl)
    }

    /// The kind of value that calls of this kind use: the number of a port, a text such as a path, or a `URL` object.
    pub(super) fn wanted(self) -> Wanted {
        match self {
            Self::BindPort => Wanted::Port,
            Self::HashUrl => Wanted::UrlObject,
            _ => Wanted::Text,
        }
    }
}

/// A catalogue entry for a call that uses a port, host or path.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct UseEntry {
    #[serde(rename = "use")]
    pub(super) kind: Use,
    owners: Vec<String>,
    methods: Vec<String>,
    /// The position of the port, host or path among the arguments; `None` if it is the receiver.
    pub(super) argument: Option<usize>,
    /// The entry matches a call only if the number of its arguments is one of these; no condition if empty.
    #[serde(default)]
    arguments: Vec<usize>,
    /// The entry matches a call only if the source text of the call contains at least one of these words; no condition
    /// if empty.
    #[serde(default)]
    pub(super) mentions: Vec<String>,
    /// The entry matches a call only if the source text of its file contains at least one of these words, such as that
    /// of the call which opens a server after `setPort`; no condition if empty.
    #[serde(default)]
    pub(super) file_mentions: Vec<String>,
    /// Whether the entry matches a call only if its receiver is visibly constructed as a real client. A mock or an
    /// injected object is not.
    #[serde(default)]
    pub(super) real_receiver: bool,
    /// The entry matches a call only if the expression that makes its receiver contains at least one of these words; no
    /// condition if empty.
    #[serde(default)]
    pub(super) receiver_mentions: Vec<String>,
    /// Calls such as `MockRestServiceServer.createServer` that make a mock answer the requests of the client that they
    /// get. The entry does not match calls on such a client.
    #[serde(default)]
    pub(super) served_by: Vec<String>,
}

/// A catalogue entry for a call whose result contains a port, host or path that it is given: `Paths.get(name)`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CarrierEntry {
    owners: Vec<String>,
    methods: Vec<String>,
    pub(super) from: Origin,
    /// The position of the argument that the result of the call contains. A negative position counts from the end. The
    /// field is used only if `from` is [`Origin::Argument`].
    #[serde(default)]
    pub(super) argument: isize,
    /// The kind of value that the result of the call contains: a port, a text or a `URL` object.
    pub(super) gives: Gives,
}

/// The part of a call that the port, host or path in its result comes from: the argument in `new File(name)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Origin {
    Receiver,
    Argument,
    /// The result is made of all arguments, joined as parts of a path.
    Joined,
    /// The result is made of the receiver and all arguments, joined as parts of a path.
    JoinedToReceiver,
}

/// The kind of value that the result of a call contains: a port, a text, a `URL` object or any of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Gives {
    Port,
    Text,
    /// The result is a `java.net.URL` object, made of the text of an address.
    UrlObject,
    Any,
}

/// A catalogue entry for an annotation that starts a server on a port, such as `@WireMockTest(httpPort = 8080)`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct PortAnnotation {
    pub(super) names: Vec<String>,
    pub(super) attributes: Vec<String>,
}

/// The whole catalogue of calls and annotations that use ports, hosts or files.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Catalogue {
    #[serde(rename = "use")]
    uses: Vec<UseEntry>,
    carrier: Vec<CarrierEntry>,
    /// Classes such as `Request.Builder` whose methods return an object with the same address as the receiver, unless
    /// other entries say otherwise.
    builders: Vec<String>,
    pub(super) port_annotation: Vec<PortAnnotation>,
}

/// The entries of the catalogue by the names of their methods, and the names of the constructed classes in it.
pub(super) struct Names {
    methods: FxHashMap<&'static str, Vec<&'static UseEntry>>,
    constructed: FxHashSet<&'static str>,
}

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| catalogue_text::read(include_str!("../../catalogue/outside.toml")));

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let uses = &CATALOGUE.uses;
    let constructions = uses.iter().filter(|it| it.methods.iter().any(|name| name == "<init>"));
    let mut methods: FxHashMap<&str, Vec<&UseEntry>> = FxHashMap::default();
    for entry in uses {
        for name in &entry.methods {
            methods.entry(name.as_str()).or_default().push(entry);
        }
    }
    Names {
        methods,
        constructed: constructions
            .flat_map(|it| &it.owners)
            .map(|it| simple_name(it))
            .collect(),
    }
});

impl Catalogue {
    /// The catalogue of calls that use ports, hosts or files, which is built into Peeler.
    pub(super) fn shipped() -> &'static Self {
        &CATALOGUE
    }

    /// Whether the catalogue may list a call as a use of a port, host or path, by the names of its method and class.
    pub(super) fn may_use(index: &Index<'_>, name: &str, target: Target<'_>) -> bool {
        if name != "<init>" {
            return NAMES.methods.contains_key(name);
        }
        let class = match target {
            Target::Unknown => return false,
            Target::External(name) => simple_name(name),
            Target::Library(id) | Target::Declared(id) => index.outline(id.owner).name,
            Target::Owner(id) => index.outline(id).name,
        };
        NAMES.constructed.contains(class)
    }

    /// The catalogue entries that say how a call of `name` uses a port, host or path. `arguments` is the number of its
    /// arguments.
    pub(super) fn uses(
        index: &Index<'_>,
        file: FileId,
        target: Target<'_>,
        name: &str,
        arguments: usize,
    ) -> impl Iterator<Item = &'static UseEntry> {
        let named = NAMES.methods.get(name).into_iter().flatten().copied();
        named.filter(move |it| {
            (it.arguments.is_empty() || it.arguments.contains(&arguments))
                && it.argument.is_none_or(|at| at < arguments)
                && it.owners.iter().any(|owner| is_declared_by(index, file, target, owner))
        })
    }

    /// The catalogue entry for a call whose result contains a port, host or path that the call got, as in
    /// `Paths.get(name)`. `wanted` is the kind of value that the result must contain. `None` if no entry matches.
    pub(super) fn carrier(
        &'static self,
        index: &Index<'_>,
        file: FileId,
        target: Target<'_>,
        name: &str,
        wanted: Wanted,
    ) -> Option<&'static CarrierEntry> {
        self.carrier.iter().find(|it| {
            let gives = match it.gives {
                Gives::Any => wanted != Wanted::UrlObject,
                Gives::Port => wanted == Wanted::Port,
                Gives::Text => wanted == Wanted::Text,
                Gives::UrlObject => wanted != Wanted::Port,
            };
            gives
                && it.methods.iter().any(|own| own == name)
                && it.owners.iter().any(|owner| is_declared_by(index, file, target, owner))
        })
    }

    /// Whether the catalogue lists the class of a called method as a builder, whose methods keep the address of their
    /// receiver.
    pub(super) fn is_builder(&self, index: &Index<'_>, file: FileId, target: Target<'_>) -> bool {
        self.builders
            .iter()
            .any(|owner| is_declared_by(index, file, target, owner))
    }
}
