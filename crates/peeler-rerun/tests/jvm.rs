//! End-to-end tests with real JVMs: the sample project is compiled once, and its tests are run in all stages.

#[path = "jvm/builds.rs"]
mod builds;
#[path = "jvm/faults.rs"]
mod faults;
#[path = "jvm/gradle.rs"]
mod gradle;
#[path = "jvm/javac.rs"]
mod javac;
#[path = "jvm/orders.rs"]
mod orders;
#[path = "jvm/sample.rs"]
mod sample;
#[cfg(target_os = "linux")]
#[path = "jvm/sandbox.rs"]
mod sandbox;
#[path = "jvm/stages.rs"]
mod stages;
#[path = "jvm/steering.rs"]
mod steering;
#[path = "jvm/testng.rs"]
mod testng;
