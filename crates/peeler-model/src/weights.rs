//! The parameters of networks as arrays by name, and their file format: safetensors with 32 or 16 bits per number.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use half::f16;
use half::slice::HalfFloatSliceExt;
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

/// One parameter of a network or of a logistic regression: an array with its shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Array {
    /// The length of each dimension of the array.
    pub(crate) shape: Vec<usize>,
    /// The elements of the array, row by row. Clones share them.
    pub(crate) values: Values,
}

/// The elements of a parameter array, as numbers of 32 or of 16 bits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    /// The array has elements of 32 bits.
    Single(Arc<[f32]>),
    /// The array has elements of 16 bits, built into the program.
    ///
    /// A scan reads few rows of a large embedding table, and widens only these.
    Half(&'static [[u8; 2]]),
}

/// The reason why parameter arrays could not be read, or do not fit a configuration.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The bytes are not a safetensors file.
    #[error("not a safetensors file: {0}")]
    Format(SafeTensorError),
    /// An array in the file has elements of an unexpected type.
    #[error("`{name}` has elements of type {found}, not F32 or F16")]
    ElementType {
        /// The name of the array with the unexpected element type.
        name: String,
        /// The unexpected element type that the file states for the array.
        found: String,
    },
    /// The array with this name is missing, although the configuration needs it.
    #[error("`{0}` is missing")]
    Missing(String),
    /// An array has another shape than the configuration and the vocabulary ask for.
    #[error("`{name}` has the shape {found:?}, not {expected:?}")]
    Shape {
        /// The name of the array with the wrong shape.
        name: String,
        /// The shape of the array in the file, which is wrong.
        found: Vec<usize>,
        /// The shape of the array that the configuration and the vocabulary ask for.
        expected: Vec<usize>,
    },
    /// The array with this name belongs to no network of the model.
    ///
    /// Names of arrays must begin with the index of a network, as in `0.paths.tokens`.
    #[error("`{0}` belongs to no member")]
    NoMember(String),
}

impl Values {
    /// The number of elements of the array.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Single(values) => values.len(),
            Self::Half(values) => values.len(),
        }
    }

    /// All elements of the array in 32 bits; borrowed if they are stored in 32 bits.
    pub(crate) fn widened(&self) -> Cow<'_, [f32]> {
        match self {
            Self::Single(values) => Cow::Borrowed(values),
            Self::Half(values) => Cow::Owned(from_halves(values)),
        }
    }

    /// All elements of the array in 32 bits; shared if they are stored in 32 bits.
    pub(crate) fn shared(&self) -> Arc<[f32]> {
        match self {
            Self::Single(values) => values.clone(),
            Self::Half(values) => from_halves(values).into(),
        }
    }

    /// Adds a row of this table, multiplied by `weight`, to `sum`, which is as long as a row.
    pub(crate) fn add_row(&self, row: usize, weight: f32, sum: &mut [f32]) {
        let places = row * sum.len()..(row + 1) * sum.len();
        match self {
            Self::Single(values) => add(sum, &values[places], weight),
            Self::Half(values) => {
                let mut widened = [0.0; WIDENED_AT_ONCE];
                for (sum, halves) in sum
                    .chunks_mut(WIDENED_AT_ONCE)
                    .zip(values[places].chunks(WIDENED_AT_ONCE))
                {
                    let widened = &mut widened[..halves.len()];
                    widen(halves, widened);
                    add(sum, widened, weight);
                }
            }
        }
    }
}

/// Adds a row, multiplied by `weight`, to a sum of the same length.
pub(crate) fn add(sum: &mut [f32], row: &[f32], weight: f32) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += value * weight;
    }
}

/// The parameter arrays of a network, a logistic regression or a whole model, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Weights {
    /// The parameter arrays, each under its name, such as `paths.tokens`.
    pub(crate) arrays: BTreeMap<String, Array>,
}

/// The number of bits that an element of a parameter array takes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// An element takes 32 bits: values are stored exactly.
    Single,
    /// An element takes 16 bits: values are rounded.
    Half,
}

impl Weights {
    /// The array with this name, if it has the expected shape.
    pub(crate) fn array(&self, name: &str, shape: &[usize]) -> Result<&Array, WeightsError> {
        let array = self
            .arrays
            .get(name)
            .ok_or_else(|| WeightsError::Missing(name.to_owned()))?;
        if array.shape != shape {
            return Err(WeightsError::Shape {
                name: name.to_owned(),
                found: array.shape.clone(),
                expected: shape.to_vec(),
            });
        }
        Ok(array)
    }

    /// Whether every element of all arrays is a finite number.
    pub(crate) fn are_finite(&self) -> bool {
        let mut arrays = self.arrays.values();
        arrays.all(|it| it.values.widened().iter().all(|it| it.is_finite()))
    }

    /// The parameter arrays as the bytes of a safetensors file.
    ///
    /// # Panics
    ///
    /// Never: names are distinct and shapes fit their values.
    pub(crate) fn to_bytes(&self, precision: Precision) -> Vec<u8> {
        let encoded: Vec<(&String, &Array, Vec<u8>)> = self
            .arrays
            .iter()
            .map(|(name, array)| {
                let values = array.values.widened();
                let bytes = match precision {
                    Precision::Single => values.iter().flat_map(|it| it.to_le_bytes()).collect(),
                    Precision::Half => values.iter().flat_map(|it| f16::from_f32(*it).to_le_bytes()).collect(),
                };
                (name, array, bytes)
            })
            .collect();
        let kind = match precision {
            Precision::Single => Dtype::F32,
            Precision::Half => Dtype::F16,
        };
        let views = encoded.iter().map(|(name, array, bytes)| {
            let view = TensorView::new(kind, array.shape.clone(), bytes).expect("the shape fits the values");
            (*name, view)
        });
        safetensors::serialize(views, None).expect("names are distinct")
    }

    /// Reads the bytes of a safetensors file. All elements are widened to 32 bits.
    ///
    /// # Errors
    ///
    /// When the bytes are no safetensors file, or hold elements of another type than F32 and F16.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        Self::read(bytes, |_, halves| Values::Single(from_halves(halves).into()))
    }

    /// Reads a safetensors file that is built into the program.
    ///
    /// Arrays of 16 bits whose name `stays` accepts are borrowed as they are; others are widened to 32 bits.
    ///
    /// # Errors
    ///
    /// When the bytes are no safetensors file, or hold elements of another type than F32 and F16.
    pub(crate) fn from_program(bytes: &'static [u8], stays: impl Fn(&str) -> bool) -> Result<Self, WeightsError> {
        Self::read(bytes, |name, halves| {
            if stays(name) {
                Values::Half(halves)
            } else {
                Values::Single(from_halves(halves).into())
            }
        })
    }

    fn read<'b>(bytes: &'b [u8], half: impl Fn(&str, &'b [[u8; 2]]) -> Values) -> Result<Self, WeightsError> {
        let file = SafeTensors::deserialize(bytes).map_err(WeightsError::Format)?;
        let mut arrays = BTreeMap::new();
        for (name, view) in file.tensors() {
            let data = view.data();
            let values = match view.dtype() {
                Dtype::F32 => {
                    let (elements, _) = data.as_chunks::<4>();
                    Values::Single(elements.iter().map(|it| f32::from_le_bytes(*it)).collect())
                }
                Dtype::F16 => half(&name, data.as_chunks::<2>().0),
                other => {
                    let found = format!("{other:?}");
                    return Err(WeightsError::ElementType { name, found });
                }
            };
            let shape = view.shape().to_vec();
            arrays.insert(name, Array { shape, values });
        }
        Ok(Self { arrays })
    }
}

/// The number of 16-bit elements that are widened to 32 bits in one call. Each call has a fixed cost, because it
/// queries the processor's features.
const WIDENED_AT_ONCE: usize = 64;

fn from_halves(halves: &[[u8; 2]]) -> Vec<f32> {
    let mut values = vec![0.0; halves.len()];
    for (halves, values) in halves.chunks(WIDENED_AT_ONCE).zip(values.chunks_mut(WIDENED_AT_ONCE)) {
        widen(halves, values);
    }
    values
}

/// Widens at most [`WIDENED_AT_ONCE`] elements from 16 to 32 bits.
fn widen(halves: &[[u8; 2]], values: &mut [f32]) {
    let mut numbers = [f16::ZERO; WIDENED_AT_ONCE];
    let numbers = &mut numbers[..halves.len()];
    for (number, half) in numbers.iter_mut().zip(halves) {
        *number = f16::from_le_bytes(*half);
    }
    numbers.convert_to_f32_slice(values);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_borrowed_table_holds_the_same_numbers_as_a_widened_one() {
        let values: Vec<f32> = (0..3 * 100)
            .map(|it| f32::from(u16::try_from(it).unwrap()) / 8.0 - 10.0)
            .collect();
        let array = Array {
            shape: vec![3, 100],
            values: Values::Single(values.clone().into()),
        };
        let arrays = [("table", array.clone()), ("other", array)].map(|(name, it)| (name.to_owned(), it));
        let bytes = Weights { arrays: arrays.into() }.to_bytes(Precision::Half).leak();
        let read = Weights::from_program(bytes, |name| name == "table").unwrap();
        let [table, other] = ["table", "other"].map(|name| &read.array(name, &[3, 100]).unwrap().values);
        assert!(matches!(table, Values::Half(_)));
        assert!(matches!(other, Values::Single(_)));
        assert_eq!(*table.widened(), values);
        assert_eq!(*other.widened(), values);
        let sums = [table, other].map(|it| {
            let mut sum = vec![1.0; 100];
            it.add_row(2, 0.5, &mut sum);
            it.add_row(0, 2.0, &mut sum);
            sum
        });
        let expected = (0..100).map(|at| 1.0 + 0.5 * values[200 + at] + 2.0 * values[at]);
        assert_eq!(sums[0], expected.collect::<Vec<f32>>());
        assert_eq!(sums[0], sums[1]);
    }

    #[test]
    fn what_is_wrong_with_an_array_is_said_with_its_name() {
        let array = Array {
            shape: vec![2, 1],
            values: Values::Single(vec![1.0, f32::NAN].into()),
        };
        let weights = Weights {
            arrays: [("table".to_owned(), array)].into(),
        };
        let said = |name: &str, shape: &[usize]| weights.array(name, shape).unwrap_err().to_string();
        assert_eq!(said("table", &[3, 1]), "`table` has the shape [2, 1], not [3, 1]");
        assert_eq!(said("bias", &[3]), "`bias` is missing");
        assert!(!weights.are_finite());
        let error = Weights::from_bytes(b"nothing").unwrap_err().to_string();
        assert!(error.starts_with("not a safetensors file"), "{error}");
    }
}
