//! What the fuzz targets share: inputs that consist of several files, compressed frames, and mutation of Java.

pub mod bundle;
pub mod compression;
pub mod java;
pub mod mutation;
pub mod random;
pub mod slowest;
