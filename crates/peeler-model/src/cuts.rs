//! Operations whose gradients are computed by hand, although Burn differentiates all that surrounds them.
//!
//! The graph of Burn is cut at such an operation: its result enters the graph as a new tensor without a history. After
//! the gradients behind the last cut, those before it follow, and so on to the first cut. Burn gets the gradient of a
//! cut's input as that of the product `input * gradient`.

mod lstm;
mod products;
mod row_sums;
mod rows;

use burn::module::{Module, ModuleVisitor, Param, ParamId};
use burn::tensor::{Device, Gradients, Tensor};
use burn_optim::GradientsParams;
use peeler_features::narrow;

use self::lstm::LayerPass;
use self::products::{row_sum, transposed_product};
use self::row_sums::{Part, RowSums};
use self::rows::{bag, gathered, places};
use crate::backend::GradientMethod;
use crate::batch::Lists;

/// The operations with gradients by hand in the computation of one batch, in their order.
pub(crate) struct Cuts {
    method: GradientMethod,
    is_training: bool,
    made: Vec<Cut>,
}

/// The gradients of an operation's inputs, given that of its result.
type Backward = Box<dyn FnOnce(Tensor<2>) -> Vec<Tensor<2>>>;

/// An operation at which the graph of Burn is cut.
struct Cut {
    inputs: Vec<Tensor<2>>,
    result: Tensor<2>,
    backward: Backward,
}

impl Cuts {
    /// No cuts yet, in a training step.
    pub(crate) fn in_training(method: GradientMethod) -> Self {
        Self {
            method,
            is_training: true,
            made: Vec::new(),
        }
    }

    /// No cuts yet, where no gradients are needed.
    pub(crate) fn in_prediction(method: GradientMethod) -> Self {
        Self {
            is_training: false,
            ..Self::in_training(method)
        }
    }

    /// The rows of `table` with these indices, `[rows, width]`.
    pub(crate) fn select(&mut self, table: Tensor<2>, rows: &[u32], device: &Device) -> Tensor<2> {
        let indices = places(rows, &self.device_of(device));
        if self.is_by_burn() {
            return table.select(0, indices);
        }
        let result = table.clone().inner().select(0, indices);
        let parts = rows.iter().zip(0..).map(|(sum, row)| Part {
            sum: *sum,
            row,
            weight: 1.0,
        });
        let back = RowSums::new(table.dims()[0], &parts.collect::<Vec<Part>>(), &device.clone().inner());
        self.cut(vec![table], result, Box::new(|gradient| vec![back.of(&gradient)]))
    }

    /// The weighted sum of rows of `table` for each list, `[lists, width]`. Burn multiplies the table by a matrix.
    pub(crate) fn bag(&mut self, lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
        match self.method {
            GradientMethod::Grouped => self.list_sums(lists, table, device),
            _ => bag(lists, table, device),
        }
    }

    /// The weighted sum of rows of `table` for each list, `[lists, width]`. Burn copies the rows.
    pub(crate) fn gathered(&mut self, lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
        match self.method {
            GradientMethod::Grouped => self.list_sums(lists, table, device),
            _ => gathered(lists, table, device),
        }
    }

    fn list_sums(&mut self, lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
        let inner = device.clone().inner();
        let parts: Vec<Part> = (0..lists.len())
            .flat_map(|at| {
                lists.list(at).map(move |(row, weight)| Part {
                    sum: narrow(at),
                    row,
                    weight,
                })
            })
            .collect();
        let result = RowSums::new(lists.len(), &parts, &inner).of(&table.clone().inner());
        if !self.is_training {
            return result;
        }
        let turned = parts.iter().map(|it| Part {
            sum: it.row,
            row: it.sum,
            weight: it.weight,
        });
        let back = RowSums::new(table.dims()[0], &turned.collect::<Vec<Part>>(), &inner);
        self.cut(vec![table], result, Box::new(|gradient| vec![back.of(&gradient)]))
    }

    /// The product of many rows and a matrix of weights.
    pub(crate) fn product(&mut self, rows: Tensor<2>, weights: Tensor<2>) -> Tensor<2> {
        if self.is_by_burn() {
            return rows.matmul(weights);
        }
        let (left, right) = (rows.clone().inner(), weights.clone().inner());
        let result = left.clone().matmul(right.clone());
        let backward = |gradient: Tensor<2>| {
            vec![
                gradient.clone().matmul(right.transpose()),
                transposed_product(left, gradient),
            ]
        };
        self.cut(vec![rows, weights], result, Box::new(backward))
    }

    /// A row that is repeated `count` times, `[count, width]`.
    pub(crate) fn repeated(&mut self, row: Tensor<1>, count: usize) -> Tensor<2> {
        let row: Tensor<2> = row.unsqueeze();
        let shape = [count, row.dims()[1]];
        if self.is_by_burn() {
            return row.expand(shape);
        }
        let result = row.clone().inner().expand(shape);
        self.cut(vec![row], result, Box::new(|gradient| vec![row_sum(gradient)]))
    }

    /// The tensor itself. A computed tensor from which several cuts follow must be a cut, because Burn goes through a
    /// part of its graph only once.
    pub(crate) fn shared(&mut self, tensor: Tensor<2>) -> Tensor<2> {
        if self.is_by_burn() {
            return tensor;
        }
        let result = tensor.clone().inner();
        self.cut(vec![tensor], result, Box::new(|gradient| vec![gradient]))
    }

    /// The states of one LSTM layer after all steps, `[steps, hidden]`.
    ///
    /// `projected` is the part of the gates that comes from the inputs, `[steps, 4 * hidden]`; `recurrent` are the
    /// weights of the previous state. `active` is the number of paths in each time step.
    pub(crate) fn lstm(&mut self, projected: Tensor<2>, recurrent: Tensor<2>, active: &[usize]) -> Tensor<2> {
        if self.is_by_burn() {
            return LayerPass::new(&projected, &recurrent, active).states();
        }
        let inner = recurrent.clone().inner();
        let pass = LayerPass::new(&projected.clone().inner(), &inner, active);
        let result = pass.states();
        let active = active.to_vec();
        let backward = move |gradient: Tensor<2>| pass.backward(&gradient, &inner, &active).into();
        self.cut(vec![projected, recurrent], result, Box::new(backward))
    }

    /// The gradients of all parameters of the network that `loss` follows from.
    pub(crate) fn gradients(self, loss: &Tensor<1>, network: &impl Module) -> GradientsParams {
        let mut stages: Vec<Gradients> = vec![loss.backward()];
        for cut in self.made.into_iter().rev() {
            let parts = stages.iter_mut().filter_map(|it| cut.result.grad_remove(it));
            let Some(gradient) = parts.reduce(|sum, part| sum + part) else {
                continue;
            };
            let gradients = (cut.backward)(gradient);
            let products = cut.inputs.into_iter().zip(gradients);
            // The gradient of a tensor starts with ones, so this product hands on the gradient of the cut.
            stages.extend(products.map(|(input, gradient)| (input * Tensor::from_inner(gradient)).backward()));
        }
        let mut all = GradientsParams::new();
        for stage in stages {
            add_gradients(&mut all, GradientsParams::from_grads(stage, network), network);
        }
        all
    }

    /// Whether Burn computes everything, or nothing has to be kept for gradients.
    fn is_by_burn(&self) -> bool {
        self.method != GradientMethod::Grouped || !self.is_training
    }

    fn device_of(&self, device: &Device) -> Device {
        if self.is_by_burn() {
            device.clone()
        } else {
            device.clone().inner()
        }
    }

    fn cut(&mut self, inputs: Vec<Tensor<2>>, result: Tensor<2>, backward: Backward) -> Tensor<2> {
        let result = Tensor::from_inner(result).require_grad();
        self.made.push(Cut {
            inputs,
            result: result.clone(),
            backward,
        });
        result
    }
}

/// Adds the gradients of all parameters of a network in `others` to those in `all`.
pub(crate) fn add_gradients(all: &mut GradientsParams, others: GradientsParams, network: &impl Module) {
    struct Addition<'a> {
        all: &'a mut GradientsParams,
        others: GradientsParams,
    }
    impl ModuleVisitor for Addition<'_> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            let id: ParamId = param.id;
            if let Some(part) = self.others.remove::<D>(id) {
                let sum = match self.all.remove::<D>(id) {
                    Some(sum) => sum + part,
                    None => part,
                };
                self.all.register(id, sum);
            }
        }
    }
    network.visit(&mut Addition { all, others });
}
