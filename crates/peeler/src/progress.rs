//! A progress bar for commands that take long.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar of `total` steps with the text `what`, shown only on a terminal.
pub(crate) fn bar(what: &'static str, total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    bar.set_draw_target(target);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {elapsed}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(what);
    bar
}
