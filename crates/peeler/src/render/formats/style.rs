//! The style of text output: with or without colours.

/// Whether text output has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Coloured,
    Plain,
}
