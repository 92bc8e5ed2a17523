//! Tests of fleets on Apache Spark: `integrations/spark/tests`, in Python, with the real binary.
//!
//! They start a cluster of two executors on this machine, kill one of them, and compare the table with plain scans.
#![cfg(target_os = "linux")]

mod support;

use std::ffi::OsString;
use std::process::Command;

use support::{BINARY, Ran, own};

/// A Python that has PySpark. Panics if there is none, because a skipped test must not seem to pass.
fn python() -> OsString {
    let python = std::env::var_os("PYSPARK_PYTHON").unwrap_or_else(|| "python3".into());
    let found = Command::new(&python).args(["-c", "import pyspark"]).output();
    assert!(
        found.is_ok_and(|it| it.status.success()),
        "{} has no PySpark: run `python3 -m venv target/python && target/python/bin/pip install -r \
         integrations/spark/requirements.txt` (Debian: `apt-get install python3-venv default-jdk-headless`) and set \
         PYSPARK_PYTHON to target/python/bin/python, as an absolute path",
        python.display()
    );
    python
}

#[test]
fn a_fleet_on_spark_has_the_findings_of_plain_scans() {
    let mut command = Command::new(python());
    // PySpark leaves sockets open, which Python would report for each of them.
    command.args(["-W", "ignore::ResourceWarning", "-m", "unittest", "discover"]);
    command.arg("-s").arg(own("integrations/spark/tests"));
    command.arg("-t").arg(own("integrations/spark"));
    let binary = std::env::var_os("PEELER_BINARY").unwrap_or_else(|| BINARY.into());
    let ran = Ran::of(command.env("PEELER_BINARY", binary));
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("\nOK\n"), "{}", ran.stderr);
}
