//! Errors of stored models of rivals.

/// The reason why the stored form of a rival's model is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidModel {
    /// The projection is out of range.
    #[error("a projection to {dimensions} dimensions of density {density}")]
    Projection {
        /// The number of dimensions.
        dimensions: u32,
        /// The share of entries that are not zero.
        density: f64,
    },
    /// The threshold of FLAST is not a share.
    #[error("a sigma of {0}")]
    Sigma(f64),
    /// The columns of the stored form have different lengths.
    #[error("tests, labels and coordinates do not fit together")]
    Lengths,
    /// A coordinate is out of range.
    #[error("a coordinate {coordinate} in dimension {dimension}")]
    Coordinate {
        /// The value.
        coordinate: i32,
        /// The dimension.
        dimension: u32,
    },
    /// The intercept of the regression is not finite.
    #[error("an intercept of {0}")]
    Intercept(f64),
    /// A word has a weight or frequency that is not finite.
    #[error("a word of weight {weight} and inverse frequency {inverse_frequency}")]
    Word {
        /// The weight.
        weight: f32,
        /// The inverse document frequency.
        inverse_frequency: f32,
    },
    /// There are more words than a column number can hold.
    #[error("more than 2^32 words")]
    TooManyWords,
}
