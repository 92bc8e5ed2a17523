//! One member of a model: a network, and the logistic regression that is averaged with it.

use crate::config::Config;
use crate::network_parameters::NetworkParameters;
use crate::regression::Regression;
use crate::vocabulary::Vocabulary;
use crate::weights::{Weights, WeightsError};

/// One network of a model and its logistic regression, both checked against a configuration and a vocabulary.
#[derive(Debug, Clone)]
pub struct Member {
    network: Weights,
    parameters: NetworkParameters,
    regression: Option<Regression>,
}

impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        (&self.network, &self.regression) == (&other.network, &other.regression)
    }
}

impl Member {
    /// A member of a model, made of a network's arrays and a logistic regression that was fitted for the same
    /// vocabulary.
    ///
    /// # Errors
    ///
    /// When an array of the network is missing or has the wrong shape.
    pub(crate) fn new(
        config: &Config,
        vocabulary: &Vocabulary,
        network: Weights,
        regression: Option<Regression>,
    ) -> Result<Self, WeightsError> {
        Ok(Self {
            parameters: NetworkParameters::new(config, vocabulary, &network)?,
            network,
            regression,
        })
    }

    /// A member of a model, made of the arrays in a file.
    ///
    /// Its logistic regression is read if the configuration asks for one.
    ///
    /// # Errors
    ///
    /// When an array is missing or has the wrong shape.
    pub(crate) fn from_weights(
        config: &Config,
        vocabulary: &Vocabulary,
        mut weights: Weights,
    ) -> Result<Self, WeightsError> {
        let regression = Regression::take_from(config, vocabulary, &mut weights)?;
        Self::new(config, vocabulary, weights, regression)
    }

    /// All arrays of the member's network and logistic regression, by name.
    pub(crate) fn to_weights(&self) -> Weights {
        let mut weights = self.network.clone();
        if let Some(regression) = &self.regression {
            weights.arrays.extend(regression.to_weights().arrays);
        }
        weights
    }

    /// The arrays of the member's network by name, from which tensors of the Burn library are made.
    pub(crate) fn network_weights(&self) -> &Weights {
        &self.network
    }

    /// The parameters of the member's network as typed structs, for prediction on the CPU.
    pub(crate) fn parameters(&self) -> &NetworkParameters {
        &self.parameters
    }

    /// The logistic regression that is averaged with the member's network; `None` if the configuration asks for none.
    pub(crate) fn regression(&self) -> Option<&Regression> {
        self.regression.as_ref()
    }

    /// The number of parameters of the member's network and logistic regression together.
    pub(crate) fn parameter_count(&self) -> usize {
        let weights = self.to_weights();
        weights.arrays.values().map(|it| it.values.len()).sum()
    }
}
