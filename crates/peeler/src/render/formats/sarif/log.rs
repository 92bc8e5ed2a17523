//! Types for the part of SARIF 2.1.0 that reports of findings need.
//!
//! Names and nesting follow the standard, which explains the fields.

use peeler_features::Rule;
use serde::Serialize;

use crate::finding::{FoundBy, Proof};

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) invocations: [Invocation; 1],
    pub(super) column_kind: &'static str,
    pub(super) results: Vec<Outcome>,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
pub(super) struct Driver {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) rules: Vec<Descriptor>,
}

/// The SARIF object `reportingDescriptor`, which describes a rule.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'static str>,
    pub(super) short_description: Message,
    pub(super) full_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    pub(super) help: Help,
    pub(super) default_configuration: Configuration,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<DescriptorProperties>,
}

/// The SARIF object `multiformatMessageString` with the help for a rule, as text and as Markdown.
#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct DescriptorProperties {
    pub(super) tags: [&'static str; 2],
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: Vec<Location>,
}

/// The SARIF object `result`, which is one finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    pub(super) rule_id: String,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: [Location; 1],
    pub(super) partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) rank: f64,
    pub(super) properties: Properties,
}

#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "peelerFinding/v1")]
    pub(super) finding: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Properties {
    pub(super) probability: f32,
    pub(super) found_by: FoundBy,
    /// The ids of all rules that report the test as flaky.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rules: Vec<Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<Proof>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    pub(super) thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
pub(super) struct ThreadFlow {
    pub(super) locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
pub(super) struct ThreadFlowLocation {
    pub(super) location: Location,
}

#[derive(Serialize)]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<u32>,
    #[serde(rename = "physicalLocation")]
    pub(super) physical: PhysicalLocation,
    #[serde(rename = "logicalLocations", skip_serializing_if = "Vec::is_empty")]
    pub(super) logical: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub(super) name: String,
    pub(super) fully_qualified_name: String,
    pub(super) kind: &'static str,
}

/// The SARIF object `message` or `multiformatMessageString`, with its text escaped as both require.
#[derive(Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

impl Message {
    pub(super) fn new(plain: &str) -> Self {
        Self { text: escaped(plain) }
    }

    /// The message followed by a link to a location of the same SARIF result: `; see [the cause](1)`.
    pub(super) fn linked(self, words: &str, location: u32) -> Self {
        let text = format!("{}; see [{words}]({location})", self.text);
        Self { text }
    }
}

/// Plain text for a SARIF message without placeholders and links. Braces are doubled; if brackets could make a link,
/// all brackets are escaped.
fn escaped(plain: &str) -> String {
    let text = plain.replace('{', "{{").replace('}', "}}");
    if text.contains("](") {
        text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
    } else {
        text
    }
}
