//! Joins the outputs of fleet scans to one report.
//!
//! ```text
//! outputs -> records, each repository once -> report -> text, JSON, HTML
//! ```

pub(crate) mod collector;
pub(crate) mod inputs;
pub(crate) mod joined;
pub(crate) mod page;
pub(crate) mod report;
pub(crate) mod text;
pub(crate) mod trend;
