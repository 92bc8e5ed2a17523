//! Tests that no marker reaches what is learned from sources.

use peeler_analysis::{Analysis, CauseCatalogue, FeatureReader, FeatureSelection, Limits, Repository};
use peeler_learning::metrics::average_precision;

use super::sources::StrippedSources;

/// Words with which a marker of a flaky test is written.
const MARKER_WORDS: [&str; 12] = [
    "flak",
    "ignore",
    "disabled",
    "retry",
    "repeat",
    "quarantin",
    "intermitt",
    "sporadic",
    "unstable",
    "badapple",
    "awaitsfix",
    "sometimes",
];

/// Ways to mark a test: what stands before the class, before the method, and in its name and body.
const MARKERS: [[&str; 4]; 10] = [
    ["", "@Ignore(\"flaky\")", "", ""],
    ["", "@Disabled", "", ""],
    ["", "// this test is flaky\n", "", ""],
    ["", "/* sporadic failures, see CI */", "", ""],
    ["", "", "Flaky", ""],
    ["", "", "", "// sometimes fails\n"],
    ["", "@Category(FlakyTests.class)", "", ""],
    ["", "@RetryingTest(3)", "", ""],
    ["@Ignore(\"unstable\")", "", "", ""],
    [
        "import shop.testing.FlakyRule;",
        "@Tag(\"quarantine\")",
        "",
        "fail(\"intermittent failure\");",
    ],
];

/// A repository of 60 test classes, of which every sixth is marked.
fn marked_repository() -> Repository {
    let class = |number: usize| {
        let [above, before, name, body] = if number.is_multiple_of(6) {
            MARKERS[number / 6]
        } else {
            [""; 4]
        };
        let (import, annotation) = if above.starts_with("import") {
            (above, "")
        } else {
            ("", above)
        };
        let text = format!(
            "package shop;\n{import}\n{annotation}\npublic class Cart{number}Test {{\n  {before} @Test\n  public void \
             adds{name}() {{ {body} assertEquals({number}, new Cart().add({number})); }}\n}}\n"
        );
        (format!("src/test/java/shop/Cart{number}Test.java"), text.into_bytes())
    };
    Repository::from_sources((0..60).map(class).collect())
}

/// The average precision of a predictor that counts marker words in everything that a model may see of a test.
fn average_precision_of_marker_words(repository: &Repository) -> f64 {
    let analysis = Analysis::new(repository);
    let reader = FeatureReader::new(&analysis, CauseCatalogue::shipped(), FeatureSelection::EVERYTHING);
    let (mut scores, mut labels) = (Vec::new(), Vec::new());
    reader.read_classes(
        Limits::default(),
        |_| true,
        |class| {
            let score = |features: &peeler_features::TestFeatures<'_>| {
                let texts = features
                    .tokens
                    .iter()
                    .chain(features.words.iter())
                    .chain(features.context_words.iter());
                let mut all: String = texts.map(str::to_lowercase).collect::<Vec<_>>().join(" ");
                all.push_str(&features.name.as_str().to_lowercase());
                let found: usize = MARKER_WORDS.iter().map(|it| all.matches(it).count()).sum();
                let number: String = features.name.class().chars().filter(char::is_ascii_digit).collect();
                let number: usize = number.parse().expect("a number");
                (found, number.is_multiple_of(6))
            };
            class.features().iter().map(score).collect::<Vec<_>>()
        },
        |class| {
            for (found, is_marked) in class {
                scores.push(f32::from(u16::try_from(found).expect("few words")));
                labels.push(is_marked);
            }
        },
    );
    assert_eq!(
        labels.iter().filter(|it| **it).count(),
        10,
        "all marked tests are found"
    );
    average_precision(&scores, &labels)
}

#[test]
fn a_predictor_that_looks_for_marker_words_scores_chance() {
    let repository = marked_repository();
    let chance = 10.0 / 60.0;
    let with_markers = average_precision_of_marker_words(&repository);
    assert!(
        with_markers > 2.0 * chance,
        "the predictor can see markers: {with_markers}"
    );
    let without = average_precision_of_marker_words(&StrippedSources::of(&repository).repository());
    assert!((without - chance).abs() < 1e-9, "{without} is not chance");
}
