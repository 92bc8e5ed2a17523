//! The JSON schemas of `scan.json` and of records of fleets, generated from their types.
//!
//! They are committed as `docs/*.schema.json`. A test fails when a file differs from the types. To update the files:
//! `UPDATE_SCHEMA=1 cargo test --lib schema`, then read the difference.

use peeler_analysis::CauseKind;
use peeler_features::{FlakinessKind, Rule};
use schemars::{Schema, SchemaGenerator, json_schema};

/// The JSON schema of a test name, such as `shop.OrderTest#total`.
pub(crate) fn test_name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "pattern": r"^[^#\s]+#[^#\s]+$"})
}

/// The JSON schema of a list of test names.
pub(crate) fn test_names(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": test_name(generator)})
}

/// The JSON schema of a kind of nondeterminism: a text such as `clock`.
pub(crate) fn cause_kind(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": CauseKind::all().map(CauseKind::id)})
}

/// The JSON schema of a kind of nondeterminism, such as `clock`, or null.
pub(crate) fn optional_cause_kind(_: &mut SchemaGenerator) -> Schema {
    let kinds = CauseKind::all().map(|it| Some(it.id()));
    let values: Vec<Option<&str>> = kinds.into_iter().chain([None]).collect();
    json_schema!({"type": ["string", "null"], "enum": values})
}

/// The JSON schema of the id of a rule, such as `PLR101`.
pub(crate) fn rule(_: &mut SchemaGenerator) -> Schema {
    let ids: Vec<&str> = Rule::all().iter().map(|it| it.id()).collect();
    json_schema!({"type": "string", "enum": ids})
}

/// The JSON schema of a kind of flakiness by its short name.
pub(crate) fn flakiness_kind(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": FlakinessKind::ALL.map(FlakinessKind::code_name)})
}

/// The JSON schema of a list of ids of rules.
pub(crate) fn rules(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": rule(generator)})
}

/// The JSON schema of a track record: counts of held-out tests by their probability, in bins named by their lower bound
/// in thousandths.
pub(crate) fn track_record(_: &mut SchemaGenerator) -> Schema {
    let count = || json_schema!({"type": "integer", "minimum": 0});
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"thousandths": count(), "stable": count(), "flaky": count()},
            "required": ["thousandths", "stable", "flaky"],
        },
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;
    use serde_json::{Value, json};

    use crate::finding::Scan;
    use crate::fleet::record::Record;
    use crate::render::formats::made;

    /// The JSON schema that is generated from a Rust type.
    fn schema_of<T: JsonSchema>() -> Value {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        generator.into_root_schema_for::<T>().into()
    }

    /// The JSON schema of `scan.json`, generated from the type [`Scan`].
    fn schema() -> Value {
        schema_of::<Scan>()
    }

    #[test]
    fn the_committed_schemas_are_those_of_the_types() {
        check("docs/scan.schema.json", &schema());
        check("docs/fleet-record.schema.json", &schema_of::<Record>());
    }

    fn check(file: &str, generated: &Value) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, format!("{generated:#}\n")).unwrap();
        }
        // Compared as JSON values, because the order of members depends on the features of serde_json.
        let committed = std::fs::read(&path).unwrap_or_default();
        let committed: Value = serde_json::from_slice(&committed).unwrap_or_default();
        assert!(
            committed == *generated,
            "{} differs from the types; update it with `UPDATE_SCHEMA=1 cargo test --lib schema`",
            path.display()
        );
    }

    #[test]
    fn scans_keep_the_schema_and_broken_ones_do_not() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        let scan = serde_json::to_value(made::scan_with_tests()).unwrap();
        let errors: Vec<String> = schema
            .iter_errors(&scan)
            .map(|it| format!("{}: {it}", it.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
        for (place, value) in [
            ("/findings/0/test", json!("total")),
            ("/findings/0/root_cause/kind", json!("weather")),
            ("/findings/0/rules/0/rule", json!("PLR999")),
            ("/findings/0/rules/0/origin", json!("elsewhere")),
            ("/findings/0/found_by", json!("luck")),
            ("/findings/0/witness/0/role", json!("hero")),
            ("/findings/0/witness/0/line", json!("12")),
            ("/findings/0/graph/nodes/0/kind", json!("loop")),
            ("/findings/0/proof/showed", json!(null)),
            ("/summary/files", json!(-1)),
            ("/model/track_record/0/flaky", json!("1")),
            ("/tests/0", json!({})),
        ] {
            let mut broken = scan.clone();
            *broken.pointer_mut(place).unwrap() = value;
            assert!(!schema.is_valid(&broken), "{place}");
        }
    }
}
