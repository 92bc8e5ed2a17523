//! The card of a pretrained network: data, speed, F1 of names, and nearest neighbours of words.

use std::fmt::Write as _;

use super::description::Description;
use super::report::PREDICTED_FROM;

/// The card of a pretrained network, as Markdown. `neighbours` are words with their nearest words and cosines.
pub(super) fn card(description: &Description, neighbours: &[(&str, Vec<(&str, f32)>)]) -> String {
    let Description { settings, data, .. } = description;
    let mut text = String::from(
        "# Vectors of sub-tokens and an encoder of method bodies\n\n\
         Made by `peeler pretrain`: a network as in code2vec, which predicts the sub-tokens of a method's name from the \
         path\ncontexts of its body. Terminals and names share one table of sub-tokens. The files contain single \
         sub-tokens, paths\nof syntax nodes and numbers, and no source text.\n\n## Data\n\n| what | number |\n|---|---|\n",
    );
    let rows = [
        ("libraries", data.libraries),
        ("of them held out for validation", data.held_out_libraries),
        ("libraries left out, because a list names them", data.kept_out_libraries),
        ("Java files", data.files),
        ("methods with a body", data.methods),
        (
            "near-duplicates removed (same name and same set of terminals)",
            data.duplicates,
        ),
        ("too long, or without a path context", data.unusable),
        ("distinct methods", data.distinct),
        ("of them in held-out libraries", data.held_out_methods),
        ("path contexts", data.contexts),
        ("sub-tokens with vectors", description.words.saturating_sub(1)),
        ("of them predicted in names", description.targets),
        ("paths with vectors", description.paths.saturating_sub(1)),
        ("width of these vectors", settings.width),
        ("width of code vectors", description.code_width),
    ];
    for (what, number) in rows {
        let _ = writeln!(text, "| {what} | {number} |");
    }
    let seconds: f64 = description.epochs.iter().map(|it| it.seconds).sum();
    let _ = writeln!(
        text,
        "\n## Training\n\nSeed {}, backend {}, batches of {} methods, learning rate {}. Sources were read in {:.1} s, and \
         training took\n{seconds:.1} s. A sub-token counts as predicted from a probability of {PREDICTED_FROM} on. The \
         network of the epoch with the\nhighest F1 on held-out libraries is stored, so that F1 is a little too high \
         for other libraries.\n\n\
         | epoch | loss | precision | recall | F1 | methods a second |\n|---|---|---|---|---|---|",
        settings.seed, settings.backend, settings.batch, settings.learning_rate, data.reading_seconds
    );
    let best = description.best_epoch().map(|it| it.epoch);
    for epoch in &description.epochs {
        let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |it| format!("{it:.3}"));
        let scores = epoch.held_out;
        let _ = writeln!(
            text,
            "| {}{}{} | {:.4} | {} | {} | {} | {:.0} |",
            epoch.epoch,
            if best == Some(epoch.epoch) { ", stored" } else { "" },
            if epoch.is_complete { "" } else { ", stopped early" },
            epoch.loss,
            figure(scores.map(|it| it.precision())),
            figure(scores.map(|it| it.recall())),
            figure(scores.map(|it| it.f1())),
            epoch.methods_per_second
        );
    }
    text.push_str("\n## Nearest neighbours\n\n| word | nearest words |\n|---|---|\n");
    for (word, near) in neighbours {
        let near: Vec<&str> = near.iter().map(|it| it.0).collect();
        let near = if near.is_empty() {
            "no vector".to_owned()
        } else {
            near.join(", ")
        };
        let _ = writeln!(text, "| {word} | {near} |");
    }
    text
}
