//! What the assertions of a test compare, read from its dependency graph.
//!
//! ```java
//! String expected = "a=1," + "b=2";
//! assertEquals(expected, render(cart("apple")));   // expected keys 2, input texts 1, actual: a method of the repository
//! ```
//!
//! A literal is expected if it reaches an operand of an assertion through nothing but assignments, operators and
//! matchers such as `is` or `equals`. It is an input if it is an argument of any other call. An operand that is no
//! literal is followed back to the operations that made it.
//!
//! Texts of resource files are not read.

use std::borrow::Cow;

use peeler_features::{LiteralMeasure, LiteralRole, OracleFeature};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::graph::{Cut, Edge, Node, NodeKind, OperationKind};
use crate::symbols::ids::FileId;
use crate::traced::TracedTest;

/// Calls that hand on what is expected, and compare it with something.
const MATCHERS: [&str; 21] = [
    "allOf",
    "anyOf",
    "asList",
    "contains",
    "containsInAnyOrder",
    "containsString",
    "content",
    "endsWith",
    "eq",
    "equalTo",
    "equalToJson",
    "equals",
    "equalsIgnoreCase",
    "hasItem",
    "hasItems",
    "hasToString",
    "is",
    "json",
    "matches",
    "startsWith",
    "string",
];

/// The most graph nodes that are visited for one operand of an assertion.
const MOST_NODES: usize = 48;

/// What an operand of an assertion is made of.
struct Operand<'g, 'i> {
    literals: SmallVec<[&'g Node<'i>; 4]>,
    /// The edges with the last operations that made the operand.
    operations: SmallVec<[&'g Edge<'i>; 4]>,
}

/// The features about what the assertions of a test compare, ascending.
pub(crate) fn oracle_features<'i>(traced: &TracedTest<'i>) -> Vec<OracleFeature<'i>> {
    let mut incoming: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); traced.nodes.len()];
    for (edge, at) in traced.edges.iter().zip(0..) {
        incoming[edge.to.0 as usize].push(at);
    }
    let mut expected = FxHashSet::default();
    let mut sizes = Sizes::default();
    let operands: Vec<(usize, Operand<'_, 'i>)> = (0..traced.nodes.len())
        .filter(|at| traced.nodes[*at].is_assert)
        .map(|at| (at, operand(traced, &incoming, at)))
        .collect();
    let mut features = Vec::new();
    let parts: Vec<bool> = operands
        .iter()
        .map(|(_, operand)| {
            let size = Sizes::of(&operand.literals);
            sizes.include(&size);
            operand.literals.iter().for_each(|it| {
                expected.insert((it.file, it.at));
            });
            size.commas.max(size.keys).max(size.lines) > 0
        })
        .collect();
    let mut has_parts = vec![false; traced.nodes.len()];
    for ((node, _), parts) in operands.iter().zip(&parts) {
        has_parts[*node] = *parts;
    }
    // Operands of one assertion are joined by edges of the assertion.
    let mut is_compared_with_parts = has_parts.clone();
    let joins = traced
        .edges
        .iter()
        .filter(|it| it.operation.kind == OperationKind::Assert);
    for (from, to) in joins.map(|it| (it.from.0 as usize, it.to.0 as usize)) {
        is_compared_with_parts[from] |= has_parts[to];
        is_compared_with_parts[to] |= has_parts[from];
    }
    for (node, operand) in &operands {
        features.extend(operand.operations.iter().map(|edge| OracleFeature::Actual {
            operation: operation_name(edge),
            has_parts: is_compared_with_parts[*node],
        }));
    }
    features.extend(sizes.features(LiteralRole::Expected));
    features.extend(inputs(traced, &expected).features(LiteralRole::Input));
    features.sort_unstable();
    features.dedup();
    features
}

/// The name of an operation, empty for a method of the repository: `toJson` for `mapper.gson.toJson`.
fn operation_name<'i>(edge: &Edge<'i>) -> Cow<'i, str> {
    if edge.operation.cut != Cut::No {
        return Cow::Borrowed("");
    }
    let last = |text: &str| text.rfind('.').map_or(0, |it| it + 1);
    match &edge.operation.text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[last(text)..]),
        Cow::Owned(text) => Cow::Owned(text[last(text)..].to_owned()),
    }
}

/// The literals and the last operations that an operand of an assertion is made of.
fn operand<'g, 'i>(traced: &'g TracedTest<'i>, incoming: &[SmallVec<[u32; 2]>], at: usize) -> Operand<'g, 'i> {
    let mut operand = Operand {
        literals: SmallVec::new(),
        operations: SmallVec::new(),
    };
    let mut pending: SmallVec<[usize; 8]> = SmallVec::from_slice(&[at]);
    let mut seen: SmallVec<[usize; 8]> = SmallVec::new();
    while let Some(node) = pending.pop() {
        if seen.contains(&node) || seen.len() >= MOST_NODES {
            continue;
        }
        seen.push(node);
        if traced.nodes[node].kind == NodeKind::Literal {
            operand.literals.push(&traced.nodes[node]);
            continue;
        }
        for edge in incoming[node].iter().map(|it| &traced.edges[*it as usize]) {
            let from = edge.from.0 as usize;
            match edge.operation.kind {
                OperationKind::Assign | OperationKind::Operator | OperationKind::Cast => pending.push(from),
                // An edge between two operands joins what is compared.
                OperationKind::Assert if !traced.nodes[from].is_assert => pending.push(from),
                OperationKind::Assert | OperationKind::Order => {}
                OperationKind::Call if is_matcher(edge) => pending.push(from),
                OperationKind::Call
                | OperationKind::Construct
                | OperationKind::Index
                | OperationKind::Field
                | OperationKind::Iterate => operand.operations.push(edge),
            }
        }
    }
    operand
}

fn is_matcher(edge: &Edge<'_>) -> bool {
    edge.operation.cut == Cut::No && MATCHERS.contains(&operation_name(edge).as_ref())
}

/// The sizes of the literals that are arguments of calls, and that no assertion expects.
fn inputs(traced: &TracedTest<'_>, expected: &FxHashSet<(FileId, u32)>) -> Sizes {
    let mut sizes = Sizes::default();
    let mut seen = FxHashSet::default();
    for edge in &traced.edges {
        let node = &traced.nodes[edge.from.0 as usize];
        let is_argument = matches!(edge.operation.kind, OperationKind::Call | OperationKind::Construct);
        let key = (node.file, node.at);
        if node.kind == NodeKind::Literal && is_argument && !expected.contains(&key) && seen.insert(key) {
            sizes.include(&Sizes::of(&[node]));
        }
    }
    sizes
}

/// Counts about literals. Texts and values are counted together, of the others the largest text counts.
#[derive(Default)]
struct Sizes {
    texts: usize,
    values: usize,
    characters: usize,
    commas: usize,
    keys: usize,
    lines: usize,
    brackets: usize,
}

impl Sizes {
    /// The sizes of the literals of one operand, which are parts of one text.
    fn of(literals: &[&Node<'_>]) -> Self {
        let mut sizes = Self::default();
        for literal in literals {
            let text = literal.text;
            if !text.starts_with('"') {
                sizes.values = 1;
                continue;
            }
            let count = |pattern: &str| text.matches(pattern).count();
            sizes.texts = 1;
            sizes.characters += text.trim_matches('"').len();
            sizes.commas += count(",");
            sizes.keys += count(":") + count("=");
            sizes.lines += count("\\n") + count("\n");
            sizes.brackets += count("{") + count("[") + count("<");
        }
        sizes
    }

    /// Adds the sizes of another operand or argument.
    fn include(&mut self, other: &Self) {
        self.texts += other.texts;
        self.values += other.values;
        self.characters = self.characters.max(other.characters);
        self.commas = self.commas.max(other.commas);
        self.keys = self.keys.max(other.keys);
        self.lines = self.lines.max(other.lines);
        self.brackets = self.brackets.max(other.brackets);
    }

    fn features<'t>(&self, role: LiteralRole) -> impl Iterator<Item = OracleFeature<'t>> + use<'t> {
        let counts = [
            (LiteralMeasure::Texts, self.texts),
            (LiteralMeasure::Values, self.values),
            (LiteralMeasure::Characters, self.characters),
            (LiteralMeasure::Commas, self.commas),
            (LiteralMeasure::Keys, self.keys),
            (LiteralMeasure::Lines, self.lines),
            (LiteralMeasure::Brackets, self.brackets),
        ];
        let features = counts.map(|(measure, count)| OracleFeature::literals(role, measure, count));
        features.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use peeler_features::OracleFeature;

    use super::oracle_features;
    use crate::analysis::Analysis;
    use crate::paths::Limits;
    use crate::repository::Repository;

    /// The names of all features of a test with this body.
    fn names(body: &str) -> Vec<String> {
        let java = format!(
            "import org.junit.*; import static org.junit.Assert.*; import static org.hamcrest.CoreMatchers.*;\n\
             import static org.hamcrest.MatcherAssert.assertThat;\n\
             public class CartTest {{ static final String SHOWN = \"[pear, fig]\";\n\
             @Test public void shows() {{ {body} }} String render(String it) {{ return it; }} }}"
        );
        let repository = Repository::from_sources(vec![("CartTest.java".into(), java.into())]);
        let analysis = Analysis::new(&repository);
        let mut all = Vec::new();
        let read = |traced| {
            oracle_features(&traced)
                .iter()
                .flat_map(OracleFeature::names)
                .collect::<Vec<_>>()
        };
        analysis.extract_classes(
            Limits::default(),
            |_| true,
            read,
            |it| it,
            |it: Vec<Vec<String>>| all.extend(it),
        );
        all.concat()
    }

    #[test]
    fn a_literal_is_expected_or_an_input() {
        let names = names("assertEquals(\"{a=1, b=2}\", render(\"apple\"));");
        assert!(names.contains(&"expected keys 2".to_owned()), "{names:?}");
        assert!(names.contains(&"expected commas 1".to_owned()), "{names:?}");
        assert!(names.contains(&"input characters 3".to_owned()), "{names:?}");
        assert!(!names.contains(&"input commas".to_owned()), "{names:?}");
        assert!(names.contains(&"actual (own): several".to_owned()), "{names:?}");
    }

    #[test]
    fn constants_sums_and_matchers_hand_on_what_is_expected() {
        for body in [
            "assertEquals(SHOWN, text.toString());",
            "String shown = \"[pear\" + \", fig]\"; assertThat(text.toString(), is(shown));",
            "assertTrue(text.toString().equals(\"[pear, fig]\"));",
        ] {
            let names = names(body);
            assert!(names.contains(&"expected commas 1".to_owned()), "{body}: {names:?}");
            assert!(
                names.contains(&"actual toString: several".to_owned()),
                "{body}: {names:?}"
            );
        }
    }

    #[test]
    fn numbers_are_values_without_parts() {
        let names = names("assertEquals(4, text.length());");
        assert!(names.contains(&"expected values 1".to_owned()), "{names:?}");
        assert!(names.contains(&"actual length: one".to_owned()), "{names:?}");
        assert!(!names.iter().any(|it| it.starts_with("expected texts")), "{names:?}");
    }
}
