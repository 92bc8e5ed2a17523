//! Annotations that start a server on a fixed port.

use peeler_features::Rule;

use super::catalogue::Catalogue;
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::lifecycle::setup_types;
use crate::repository::narrow;
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::syntax::declarations::Annotation;

/// The flows from annotations such as `@WireMockTest(httpPort = 8080)` at a test or its classes, which start a server
/// on a fixed port.
pub(super) fn fixed_ports(index: &Index<'_>, test: DiscoveredTest) -> Vec<FoundFlow> {
    let mut found = Vec::new();
    let of_method = &index.method(test.method).annotations;
    let file = index.file_of(test.method.owner);
    found.extend(
        of_method
            .iter()
            .filter_map(|it| Some(flow(index, file, it, named_port(it)?))),
    );
    for id in setup_types(index, test.class) {
        let file = index.file_of(id);
        let annotations = &index.declaration(id).annotations;
        found.extend(
            annotations
                .iter()
                .filter_map(|it| Some(flow(index, file, it, named_port(it)?))),
        );
        found.extend(defined_port(annotations).map(|(it, port)| flow(index, file, it, port)));
    }
    found
}

/// The port that an annotation of the catalogue names, such as 8080 in `@WireMockTest(httpPort = 8080)`. `None` for
/// port 0 and for annotations that the catalogue does not list.
fn named_port(annotation: &Annotation<'_>) -> Option<u32> {
    let entries = &Catalogue::shipped().port_annotation;
    let entry = entries
        .iter()
        .find(|it| it.names.iter().any(|name| name == annotation.name))?;
    let arguments = annotation.arguments;
    entry.attributes.iter().find_map(|it| {
        let (_, value) = arguments.split_once(it.as_str())?;
        let value = value.trim_start().strip_prefix('=')?;
        first_number(value.trim_start().trim_start_matches('{')).filter(|port| *port != 0)
    })
}

/// The annotation with `DEFINED_PORT`, which makes Spring start an application on its configured port, and that port.
/// `None` unless one of the annotations names a `server.port` other than 0.
fn defined_port<'a, 'r>(annotations: &'a [Annotation<'r>]) -> Option<(&'a Annotation<'r>, u32)> {
    let starts = annotations.iter().find(|it| it.arguments.contains("DEFINED_PORT"))?;
    let port = annotations.iter().find_map(|it| {
        let (_, value) = it.arguments.split_once("server.port")?;
        first_number(value.trim_start().trim_start_matches(['=', ':', ' ']))
    })?;
    (port != 0).then_some((starts, port))
}

fn first_number(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

fn flow(index: &Index<'_>, file: FileId, annotation: &Annotation<'_>, port: u32) -> FoundFlow {
    FoundFlow {
        rule: Rule::FixedPort,
        what: format!("starts a server on the fixed port {port}"),
        source: annotation_site(index, file, annotation),
        steps: Vec::new(),
        oracle: None,
        origin: FlowOrigin::Setup,
        settled_by: None,
        is_sure: true,
    }
}

/// The range of bytes that an annotation with its arguments takes up in `file`.
pub(crate) fn annotation_site(index: &Index<'_>, file: FileId, annotation: &Annotation<'_>) -> Site {
    let text = &index.source(file).text()[annotation.at as usize..];
    let length = match annotation.arguments {
        "" => annotation.name.len() + 1,
        arguments => text.find(arguments).map_or(0, |at| at + arguments.len() + 1),
    };
    Site {
        file,
        start: annotation.at,
        end: annotation.at + narrow(length.min(text.len())),
    }
}
