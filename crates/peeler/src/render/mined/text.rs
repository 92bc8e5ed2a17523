//! The flaky tests of a git history as text for a terminal.

use std::io::{self, Write};

use peeler_mine::{Evidence, Mined};

use super::summary::{Count, Summary, cause_words};

/// The number of characters of the bar of the year with most tests, apart from rounding.
const BAR: usize = 40;
/// The maximum number of folders, and of latest events, in the text output of `peeler mine`.
const NAMED: usize = 8;

/// Writes the counts of the flaky tests of a history, by year, folder, cause and evidence, and the latest events.
pub(crate) fn write(mined: &Mined, out: &mut dyn Write) -> io::Result<()> {
    let summary = Summary::of(mined);
    writeln!(out, "{}", sentence(mined, &summary))?;
    writeln!(
        out,
        "{} commits from {} to {} were read; {} of the tests still exist, {} were flaky more than once",
        mined.commits, mined.first_day, mined.last_day, summary.present, summary.repeated
    )?;
    if mined.events.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nTests by year (# fixed, + marked):")?;
    let most = summary
        .years
        .iter()
        .map(|it| it.fixed + it.marked)
        .max()
        .unwrap_or(1)
        .max(1);
    for year in &summary.years {
        let scaled = |count: usize| (count * BAR).div_ceil(most);
        let bar = format!("{}{}", "#".repeat(scaled(year.fixed)), "+".repeat(scaled(year.marked)));
        let line = format!("{:>8}  {:>5}  {bar}", year.year, year.fixed + year.marked);
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "\nWhere they are:")?;
    rows(&summary.folders[..summary.folders.len().min(NAMED)], out, |it| {
        plain(it)
    })?;
    writeln!(out, "\nWhat fixed them:")?;
    rows(&summary.causes, out, |it| cause_words(it).to_owned())?;
    writeln!(out, "\nHow it is known:")?;
    rows(&summary.evidence, out, |it| {
        let kind = Evidence::ALL.iter().find(|kind| kind.name() == it);
        format!("{it:<7}  {}", kind.map_or("", |it| it.words()))
    })?;
    writeln!(out, "\nLatest:")?;
    for event in mined.events.iter().rev().filter(|it| !it.fix.is_empty()).take(NAMED) {
        let class = event.class.rsplit('.').next().unwrap_or(&event.class);
        let fix = event.fix.get(..10).unwrap_or(&event.fix);
        writeln!(
            out,
            "  {}  {fix}  {}#{}  {:.0}%",
            event.date,
            plain(class),
            plain(&event.test),
            100.0 * event.certainty
        )?;
        writeln!(out, "              {}", plain(&event.subject))?;
    }
    Ok(())
}

/// The history in one sentence: `shop/cart: 142 flaky tests in 6 years; 38 of them in broker/`.
pub(crate) fn sentence(mined: &Mined, summary: &Summary) -> String {
    let tests = if summary.tests == 1 {
        "flaky test"
    } else {
        "flaky tests"
    };
    let years = match summary.span() {
        0 => String::new(),
        1 => " in 1 year".to_owned(),
        years => format!(" in {years} years"),
    };
    let folder = match summary.folders.first() {
        Some(first) if summary.folders.len() > 1 => format!("; {} of them in {}", first.tests, plain(&first.name)),
        _ => String::new(),
    };
    format!("{}: {} {tests}{years}{folder}", plain(&mined.repository), summary.tests)
}

fn rows(counts: &[Count], out: &mut dyn Write, words: impl Fn(&str) -> String) -> io::Result<()> {
    for count in counts {
        writeln!(out, "{:>8}  {}", count.tests, words(&count.name))?;
    }
    Ok(())
}

/// A text of a repository without characters that control a terminal.
fn plain(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
