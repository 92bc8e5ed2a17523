//! Errors of stored models of rivals.

/// The reason why the stored form of a rival's model is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidModel {
    /// The random projection of the stored model is out of range.
    #[error("a projection to {dimensions} dimensions of density {density}")]
    Projection {
        /// The number of dimensions of the stored projection.
        dimensions: u32,
        /// The share of entries of the stored projection that are not zero.
        density: f64,
    },
    /// The stored threshold of FLAST is not between 0 and 1.
    #[error("a sigma of {0}")]
    Sigma(f64),
    /// The columns of the stored form have different lengths.
    #[error("tests, labels and coordinates do not fit together")]
    Lengths,
    /// A coordinate of a stored test is out of range.
    #[error("a coordinate {coordinate} in dimension {dimension}")]
    Coordinate {
        /// The value of the coordinate that is out of range.
        coordinate: i32,
        /// The dimension of the coordinate that is out of range.
        dimension: u32,
    },
    /// The intercept of the regression is not finite.
    #[error("an intercept of {0}")]
    Intercept(f64),
    /// A word has a weight or frequency that is not finite.
    #[error("a word of weight {weight} and inverse frequency {inverse_frequency}")]
    Word {
        /// The weight of the invalid word.
        weight: f32,
        /// The inverse document frequency of the invalid word.
        inverse_frequency: f32,
    },
    /// There are more words than a column number can hold.
    #[error("more than 2^32 words")]
    TooManyWords,
}
