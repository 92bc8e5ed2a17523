//! Weights as plain numbers under names, and their file: safetensors, in full or half precision.

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
    pub values: Vec<f32>,
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
                let bytes = match precision {
                    Precision::Full => array.values.iter().flat_map(|it| it.to_le_bytes()).collect(),
                    Precision::Half => array
                        .values
                        .iter()
                        .flat_map(|it| f16::from_f32(*it).to_le_bytes())
                        .collect(),
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
        let file = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let mut arrays = BTreeMap::new();
        for (name, view) in file.tensors() {
            let data = view.data();
            let values = match view.dtype() {
                Dtype::F32 => data
                    .chunks_exact(4)
                    .map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]))
                    .collect(),
                Dtype::F16 => from_halves(data),
                other => return Err(format!("`{name}` holds {other:?}, not numbers of 32 or 16 bits")),
            };
            let shape = view.shape().to_vec();
            arrays.insert(name, Array { shape, values });
        }
        Ok(Self { arrays })
    }
}

/// Numbers of 16 bits, widened many at a time: one by one each would ask what the processor can do.
fn from_halves(bytes: &[u8]) -> Vec<f32> {
    let (pairs, _) = bytes.as_chunks::<2>();
    let mut values = vec![0.0; pairs.len()];
    let mut halves = [f16::ZERO; 1024];
    for (pairs, values) in pairs.chunks(halves.len()).zip(values.chunks_mut(halves.len())) {
        let halves = &mut halves[..pairs.len()];
        for (half, pair) in halves.iter_mut().zip(pairs) {
            *half = f16::from_le_bytes(*pair);
        }
        halves.convert_to_f32_slice(values);
    }
    values
}
