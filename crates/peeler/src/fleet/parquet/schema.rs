//! The schema of a row: one repository of a fleet. `docs/fleets.md` shows it to users.

use parquet::errors::Result;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;

/// The columns of a Parquet file of fleet records, in the order in which the file holds them.
const ALL: &str = "
message repository {
  required int32 version;
  required binary name (STRING);
  required binary path (STRING);
  optional binary revision (STRING);
  optional binary commit (STRING);
  required binary status (STRING);
  optional binary error (STRING);
  required group tool { required binary name (STRING); required binary version (STRING); }
  required group model { required binary name (STRING); required binary identity (STRING); optional float threshold; }
  required binary options (STRING);
  required group counts {
    required int64 files; required int64 bytes; required int64 tests; required int64 findings;
    required int64 suppressed; required int64 excluded; required int64 incomplete;
  }
  required group findings (LIST) { repeated group list { required group element {
    required binary test (STRING);
    required binary file (STRING);
    required int32 line;
    required int32 end_line;
    required float probability;
    required binary found_by (STRING);
    required group rules (LIST) { repeated group list { required binary element (STRING); } }
    required binary reason (STRING);
    required binary fingerprint (STRING);
    required binary json (STRING);
  } } }
  optional binary tests_json (STRING);
  required group problems (LIST) { repeated group list { required group element {
    required binary file (STRING); required binary message (STRING);
  } } }
  required group run { required double seconds; optional int64 peak_memory; }
}";

/// The columns of a Parquet file of fleet records that say what a row is about: repository, version, model, options and
/// counts.
const HEADER: &str = "
message repository {
  required int32 version;
  required binary name (STRING);
  required binary path (STRING);
  optional binary revision (STRING);
  required group tool { required binary name (STRING); required binary version (STRING); }
  required group model { required binary name (STRING); required binary identity (STRING); optional float threshold; }
  required binary options (STRING);
  required group counts {
    required int64 files; required int64 bytes; required int64 tests; required int64 findings;
    required int64 suppressed; required int64 excluded; required int64 incomplete;
  }
}";

/// The schema of all columns of a Parquet file of fleet records.
pub(super) fn all() -> Result<Type> {
    parse_message_type(ALL)
}

/// The schema of the columns that say what a row is about: repository, version, model, options and counts, without
/// findings.
pub(super) fn header() -> Result<Type> {
    parse_message_type(HEADER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_shows_the_schema() {
        let page = include_str!("../../../../../docs/fleets.md");
        assert!(page.contains(ALL.trim()), "docs/fleets.md has another schema:\n{ALL}");
    }

    #[test]
    fn a_header_is_a_part_of_a_row() {
        let (all, header) = (all().unwrap(), header().unwrap());
        for column in header.get_fields() {
            assert!(all.get_fields().contains(column), "{column:?}");
        }
    }
}
