//! The network as a computation on a card. It is that of [`crate::network`], operation by operation.

use peeler_cuda::{Tape, Term};
use peeler_features::MEASURES;

use super::plan::{BodyPlan, BodyPlanReading, PathPlan, Plan};
use super::tables::Tables;
use crate::config::{Config, Input};
use crate::network_parameters::MEASURE_SCALE;
use crate::normalisation::EPSILON;

/// The scores of stable and flaky of each test, `[tests, 2]`.
pub(super) fn scores(tape: &Tape<'_>, tables: &Tables, plan: &Plan, config: &Config) -> Term {
    let scale = 1.0 / (1.0 - config.dropout);
    let mut features: Vec<Term> = plan
        .bags
        .iter()
        .map(|(name, lists)| tape.sums(tables.of(name), lists))
        .collect();
    if let Some(measures) = &plan.measures {
        let measures = dense(tape, tables, "measures", &tape.constant(measures, plan.tests, MEASURES));
        #[expect(clippy::cast_possible_truncation, reason = "kernels compute with 32 bits")]
        features.push(tape.scaled(&measures, MEASURE_SCALE as f32));
    }
    if let Some(paths) = &plan.paths {
        let mut states = path_states(tape, tables, paths, config);
        if let Some(bits) = &paths.kept_states {
            states = tape.kept(&states, bits, scale);
        }
        let vectors = tape.attended(&states, tables.of("paths.attention"), &paths.groups);
        features.push(match &paths.kept_tests {
            Some(bits) => tape.kept_rows(&vectors, bits),
            None => vectors,
        });
    } else if config.reads(Input::Paths) {
        features.push(tape.zeros(plan.tests, config.hidden));
    }
    let mut features = tape.beside(&features);
    if let Some(bits) = &plan.kept_features {
        features = tape.kept(&features, bits, scale);
    }
    let mut hidden = tape.relu(&dense(tape, tables, "hidden", &features));
    if let Some(bits) = &plan.kept_hidden {
        hidden = tape.kept(&hidden, bits, scale);
    }
    dense(tape, tables, "output", &hidden)
}

fn dense(tape: &Tape<'_>, tables: &Tables, name: &str, input: &Term) -> Term {
    let product = tape.product(input, tables.of(&format!("{name}.weight")));
    tape.with_row(&product, tables.of(&format!("{name}.bias")))
}

/// The LSTM states after the last steps of all paths, `[paths, hidden]`.
fn path_states(tape: &Tape<'_>, tables: &Tables, plan: &PathPlan, config: &Config) -> Term {
    let table = |name: &str| tables.of(&format!("paths.{name}"));
    let texts = tape.sums(table("tokens"), &plan.texts); // [texts, embedding]
    let nodes = tape.product(&tape.sums(&texts, &plan.node_texts), table("node")); // [nodes, tuple]
    // One product of the two matrices is cheaper than two products with every edge.
    let operation = tape.product(table("operation"), table("edge")); // [embedding, tuple]
    let operations = tape.product(&tape.sums(&texts, &plan.edge_texts), &operation); // [edges, tuple]
    let edges = match &plan.bodies {
        Some(bodies) => with_bodies(tape, tables, bodies, operations),
        None => operations,
    };
    let nodes = tape.sums(&nodes, &plan.node_places);
    let sums = tape.sum(&nodes, &tape.sums(&edges, &plan.tuple_edges)); // [tuples, tuple]
    let sums = tape.with_row(&sums, table("bias"));
    #[expect(clippy::cast_possible_truncation, reason = "kernels compute with 32 bits")]
    let mut inputs = tape.normalised_tanh(&sums, table("scale"), table("shift"), EPSILON as f32);
    for layer in 0..config.layers {
        let table = |name: &str| tables.of(&format!("paths.layers.{layer}.{name}"));
        // One product projects every distinct tuple, or every state of the layer below.
        let projected = tape.with_row(&tape.product(&inputs, table("input")), table("bias"));
        let projected = match layer {
            0 => tape.sums(&projected, &plan.steps), // [steps, 4 hidden]
            _ => projected,
        };
        inputs = tape.lstm(&projected, table("recurrent"), &plan.active);
    }
    tape.sums(&inputs, &plan.last)
}

/// The vectors of edges, with those of called bodies added to them or in their place, `[edges, tuple]`.
fn with_bodies(tape: &Tape<'_>, tables: &Tables, plan: &BodyPlan, operations: Term) -> Term {
    let table = |name: &str| tables.of(&format!("paths.{name}"));
    let bodies = match &plan.reading {
        BodyPlanReading::Words(words) => tape.product(&tape.sums(table("tokens"), words), table("body")),
        BodyPlanReading::Contexts { parts, groups } => {
            let part = |vectors: &Term, weights: &str, at: usize| {
                tape.sums(&tape.product(vectors, table(weights)), &parts[at])
            };
            let from = part(table("tokens"), "code.from", 0);
            let way = part(table("code.ways"), "code.way", 1);
            let to = part(table("tokens"), "code.to", 2);
            let contexts = tape.tanh(&tape.sum(&tape.sum(&from, &way), &to));
            tape.attended(&contexts, table("code.attention"), groups)
        }
    }; // [methods, edge]
    let bodies = tape.product(&bodies, table("edge")); // [methods, tuple]
    let operations = match &plan.kept_edges {
        Some(kept) => tape.sums(&operations, kept),
        None => operations,
    };
    tape.sum(&operations, &tape.sums(&bodies, &plan.called))
}
