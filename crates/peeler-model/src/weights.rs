//! Weights as plain numbers under names, and their file: safetensors, in full or half precision.

use std::borrow::Cow;
use std::collections::BTreeMap;

use half::f16;
use half::slice::HalfFloatSliceExt;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

/// The numbers of one parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Its shape.
    pub shape: Vec<usize>,
    /// Row by row.
    pub values: Numbers,
}

/// Numbers of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Of 32 bits.
    Full(Vec<f32>),
    /// Of 16 bits, as they lie in the program: of a large table most scans read a few rows.
    Half(&'static [[u8; 2]]),
}

impl Numbers {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Full(values) => values.len(),
            Self::Half(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers where they are of 32 bits.
    pub(crate) fn full(&self) -> Option<&[f32]> {
        match self {
            Self::Full(values) => Some(values),
            Self::Half(_) => None,
        }
    }

    /// All of them in 32 bits.
    #[must_use]
    pub fn in_full(&self) -> Cow<'_, [f32]> {
        match self {
            Self::Full(values) => Cow::Borrowed(values),
            Self::Half(values) => Cow::Owned(from_halves(values)),
        }
    }

    /// Adds a row of a table to a sum of the same width.
    pub(crate) fn add_row(&self, row: usize, weight: f32, sum: &mut [f32]) {
        let places = row * sum.len()..(row + 1) * sum.len();
        match self {
            Self::Full(values) => add(sum, &values[places], weight),
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

/// Adds a weighted row to a sum.
pub(crate) fn add(sum: &mut [f32], row: &[f32], weight: f32) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += value * weight;
    }
}

/// All parameters of a network.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    /// By name.
    pub arrays: BTreeMap<String, Array>,
}

/// How many bytes a number takes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Four bytes: nothing is lost.
    Full,
    /// Two bytes.
    Half,
}

impl Weights {
    /// The numbers under a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Array> {
        self.arrays.get(name)
    }

    /// As the bytes of a safetensors file.
    ///
    /// # Panics
    ///
    /// Never: names are distinct and shapes fit their values.
    #[must_use]
    pub fn to_bytes(&self, precision: Precision) -> Vec<u8> {
        let encoded: Vec<(&String, &Array, Vec<u8>)> = self
            .arrays
            .iter()
            .map(|(name, array)| {
                let values = array.values.in_full();
                let bytes = match precision {
                    Precision::Full => values.iter().flat_map(|it| it.to_le_bytes()).collect(),
                    Precision::Half => values.iter().flat_map(|it| f16::from_f32(*it).to_le_bytes()).collect(),
                };
                (name, array, bytes)
            })
            .collect();
        let kind = match precision {
            Precision::Full => Dtype::F32,
            Precision::Half => Dtype::F16,
        };
        let views = encoded.iter().map(|(name, array, bytes)| {
            let view = TensorView::new(kind, array.shape.clone(), bytes).expect("the shape fits the values");
            (*name, view)
        });
        safetensors::serialize(views, None).expect("names are distinct")
    }

    /// Reads the bytes of a safetensors file.
    ///
    /// # Errors
    ///
    /// What is wrong with them, in words.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Self::read(bytes, |_, halves| Numbers::Full(from_halves(halves)))
    }

    /// The same of a file inside the program, where tables for which `stays` holds by name are left as they lie.
    ///
    /// # Errors
    ///
    /// What is wrong with them, in words.
    pub(crate) fn from_program(bytes: &'static [u8], stays: impl Fn(&str) -> bool) -> Result<Self, String> {
        Self::read(bytes, |name, halves| {
            if stays(name) {
                Numbers::Half(halves)
            } else {
                Numbers::Full(from_halves(halves))
            }
        })
    }

    fn read<'b>(bytes: &'b [u8], half: impl Fn(&str, &'b [[u8; 2]]) -> Numbers) -> Result<Self, String> {
        let file = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let mut arrays = BTreeMap::new();
        for (name, view) in file.tensors() {
            let data = view.data();
            let values = match view.dtype() {
                Dtype::F32 => {
                    let (numbers, _) = data.as_chunks::<4>();
                    Numbers::Full(numbers.iter().map(|it| f32::from_le_bytes(*it)).collect())
                }
                Dtype::F16 => half(&name, data.as_chunks::<2>().0),
                other => return Err(format!("`{name}` holds {other:?}, not numbers of 32 or 16 bits")),
            };
            let shape = view.shape().to_vec();
            arrays.insert(name, Array { shape, values });
        }
        Ok(Self { arrays })
    }
}

/// Widening a number asks what the processor can do, so it is done for many at a time.
const WIDENED_AT_ONCE: usize = 64;

fn from_halves(halves: &[[u8; 2]]) -> Vec<f32> {
    let mut values = vec![0.0; halves.len()];
    for (halves, values) in halves.chunks(WIDENED_AT_ONCE).zip(values.chunks_mut(WIDENED_AT_ONCE)) {
        widen(halves, values);
    }
    values
}

/// Widens at most [`WIDENED_AT_ONCE`] numbers.
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
    fn a_table_that_stays_as_it_lies_holds_the_same_numbers() {
        let values: Vec<f32> = (0..3 * 100)
            .map(|it| f32::from(u16::try_from(it).unwrap()) / 8.0 - 10.0)
            .collect();
        let array = Array {
            shape: vec![3, 100],
            values: Numbers::Full(values.clone()),
        };
        let arrays = [("table", array.clone()), ("other", array)].map(|(name, it)| (name.to_owned(), it));
        let bytes = Weights { arrays: arrays.into() }.to_bytes(Precision::Half).leak();
        let read = Weights::from_program(bytes, |name| name == "table").unwrap();
        let [table, other] = ["table", "other"].map(|name| &read.get(name).unwrap().values);
        assert!(matches!(table, Numbers::Half(_)));
        assert!(matches!(other, Numbers::Full(_)));
        assert_eq!(*table.in_full(), values);
        assert_eq!(*other.in_full(), values);
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
}
