//! Vectors of method bodies by attention over paths between two tokens in their syntax trees, as in code2vec.

use burn::module::{Module, Param};
use burn::tensor::activation::softmax;
use burn::tensor::{Device, Tensor, TensorData};

use crate::batch::{Batch, PADDING_SCORE};
use crate::config::Config;
use crate::cuts::Cuts;
use crate::parameters::{Initialisation, ParameterBuilder};
use crate::vocabulary::Vocabulary;
use crate::weights::WeightsError;

/// The encoder of a method's body: attention over paths between two tokens in its syntax tree, as in code2vec.
#[derive(Module, Debug)]
pub(super) struct CodeEncoder {
    ways: Param<Tensor<2>>,
    from: Param<Tensor<2>>,
    way: Param<Tensor<2>>,
    to: Param<Tensor<2>>,
    attention: Param<Tensor<1>>,
}

impl CodeEncoder {
    /// Creates the parameters of this encoder of method bodies, in a fixed order.
    pub(super) fn new(
        builder: &mut ParameterBuilder<'_>,
        config: &Config,
        vocabulary: &Vocabulary,
    ) -> Result<Self, WeightsError> {
        let (width, edge) = (config.embedding, config.edge);
        Ok(Self {
            ways: builder.table("paths.code.ways", vocabulary.ways.rows(), width)?,
            from: builder.matrix("paths.code.from", width, edge)?,
            way: builder.matrix("paths.code.way", width, edge)?,
            to: builder.matrix("paths.code.to", width, edge)?,
            attention: builder.vector("paths.code.attention", edge, Initialisation::FanIn(edge))?,
        })
    }

    /// The vectors of the bodies of all methods under test in a batch, `[methods, edge]`.
    pub(super) fn vectors(&self, batch: &Batch, tokens: &Tensor<2>, cuts: &mut Cuts, device: &Device) -> Tensor<2> {
        let methods = batch.contexts.len();
        let most = batch.contexts.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut columns = [(); 3].map(|()| vec![0_u32; methods * most]);
        let mut padding = vec![PADDING_SCORE; methods * most];
        for (method, contexts) in batch.contexts.iter().enumerate() {
            // A method without a body attends to an empty context.
            padding[method * most] = 0.0;
            for (place, context) in contexts.iter().enumerate() {
                padding[method * most + place] = 0.0;
                for (column, row) in columns.iter_mut().zip(context) {
                    column[method * most + place] = *row;
                }
            }
        }
        let edge = self.attention.dims()[0];
        let tables = [(tokens, &self.from), (&self.ways.val(), &self.way), (tokens, &self.to)];
        let [from, way, to] = [0, 1, 2].map(|at| {
            let (table, weight): (&Tensor<2>, &Param<Tensor<2>>) = tables[at];
            let vectors = cuts.product(table.clone(), weight.val());
            cuts.select(vectors, &columns[at], device)
        });
        let contexts = (from + way + to).tanh(); // [methods * most, edge]
        let scores = (contexts.clone() * self.attention.val().unsqueeze()).sum_dim(1);
        let padding = Tensor::<2>::from_data(TensorData::new(padding, [methods, most]), device);
        let weights = softmax(scores.reshape([methods, most]) + padding, 1);
        let weighted: Tensor<3> = contexts.reshape([methods, most, edge]) * weights.reshape([methods, most, 1]);
        weighted.sum_dim(1).reshape([methods, edge])
    }
}
