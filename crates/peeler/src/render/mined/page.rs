//! The flaky tests of a git history as one self-contained HTML page with a timeline.
//!
//! The page has no script, and texts of the repository are escaped.

use std::fmt::Write as _;
use std::io::{self, Write};

use peeler_mine::{Event, Evidence, Mined};

use super::summary::{Count, Summary, YearCount, cause_words};
use super::text::sentence;

/// The start of the HTML page: everything before its content.
const HEAD: &str = include_str!("page.html");
/// The width and height of the timeline's bars in units of the SVG image. The years are written below this area.
const TIMELINE: (usize, usize) = (960, 200);

/// Writes the flaky tests of a history as an HTML page.
pub(crate) fn write(mined: &Mined, out: &mut dyn Write) -> io::Result<()> {
    let summary = Summary::of(mined);
    let mut page = String::from(HEAD);
    let _ = writeln!(
        page,
        "<h1>Flaky tests in the history of {}</h1>",
        escaped(&mined.repository)
    );
    let _ = writeln!(page, "<p><strong>{}</strong></p>", escaped(&sentence(mined, &summary)));
    let _ = writeln!(
        page,
        "<p>{} commits from {} to {} were read. {} of the tests still exist, and {} were flaky more than once.</p>",
        mined.commits, mined.first_day, mined.last_day, summary.present, summary.repeated
    );
    if mined.is_shallow {
        page.push_str("<p>The clone is shallow: older commits are missing, so that older tests are not listed.</p>\n");
    }
    let _ = writeln!(page, "<p class=\"muted\">Revision {}</p>", escaped(&mined.revision));
    timeline(&summary.years, &mut page);
    page.push_str("<div class=\"columns\">\n");
    counts("Where they are", &summary.folders, str::to_owned, &mut page);
    counts(
        "What fixed them",
        &summary.causes,
        |it| cause_words(it).to_owned(),
        &mut page,
    );
    counts("How it is known", &summary.evidence, evidence_words, &mut page);
    page.push_str("</div>\n");
    events(mined, &mut page);
    page.push_str("</main>\n</body>\n</html>\n");
    out.write_all(page.as_bytes())
}

fn evidence_words(name: &str) -> String {
    let kind = Evidence::ALL.iter().find(|it| it.name() == name);
    format!("{name}: {}", kind.map_or("", |it| it.words()))
}

/// Adds an SVG image to the page with a bar for each year. The lower part counts tests that were fixed, the upper part
/// tests that were marked.
fn timeline(years: &[YearCount], page: &mut String) {
    if years.is_empty() {
        return;
    }
    let (width, height) = TIMELINE;
    let most = years.iter().map(|it| it.fixed + it.marked).max().unwrap_or(1).max(1);
    let step = width / years.len();
    page.push_str("<h2>Timeline</h2>\n<p class=\"muted\"><span class=\"key fixed\"></span>fixed");
    page.push_str("<span class=\"key marked\"></span>marked, for example by an annotation</p>\n");
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 -16 {width} {}\" role=\"img\" aria-label=\"Flaky tests by year\">",
        height + 36
    );
    for (at, year) in years.iter().enumerate() {
        let left = at * step + step / 8;
        let bar = (step * 3 / 4).max(1);
        let fixed = year.fixed * height / most;
        let marked = year.marked * height / most;
        let total = year.fixed + year.marked;
        let (middle, top) = (at * step + step / 2, height - fixed - marked);
        let _ = writeln!(
            page,
            "<g><title>{}: {} fixed, {} marked</title><rect class=\"fixed\" x=\"{left}\" y=\"{}\" width=\"{bar}\" \
             height=\"{fixed}\"/><rect class=\"marked\" x=\"{left}\" y=\"{top}\" width=\"{bar}\" \
             height=\"{marked}\"/><text x=\"{middle}\" y=\"{}\">{total}</text><text x=\"{middle}\" y=\"{}\">{}</text></g>",
            year.year,
            year.fixed,
            year.marked,
            height - fixed,
            i64::try_from(top).unwrap_or(0) - 4,
            height + 16,
            year.year
        );
    }
    page.push_str("</svg>\n");
}

fn counts(title: &str, counts: &[Count], words: impl Fn(&str) -> String, page: &mut String) {
    let _ = writeln!(page, "<section><h2>{title}</h2>");
    if counts.is_empty() {
        page.push_str("<p class=\"muted\">None.</p></section>\n");
        return;
    }
    page.push_str("<table>\n<tbody>\n");
    for count in counts {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td class=\"number\">{}</td></tr>",
            escaped(&words(&count.name)),
            count.tests
        );
    }
    page.push_str("</tbody>\n</table></section>\n");
}

/// Adds all events to the page, in one section for each year, the latest first. Events of runs have no year and come
/// last. Only the first section is unfolded.
fn events(mined: &Mined, page: &mut String) {
    page.push_str("<h2>All tests</h2>\n");
    let mut rest: &[Event] = &mined.events;
    if rest.is_empty() {
        page.push_str("<p class=\"muted\">None.</p>\n");
    }
    let mut open = " open";
    while let Some(last) = rest.last() {
        let year = last.date.get(..4).unwrap_or_default();
        let start = rest.partition_point(|it| it.date.get(..4).unwrap_or_default() < year);
        let (earlier, of_year) = rest.split_at(start);
        let title = if year.is_empty() { "Runs" } else { year };
        let _ = writeln!(page, "<details{open}><summary>{title}: {}</summary>", of_year.len());
        page.push_str("<table>\n<thead><tr>");
        for name in ["Day", "Test", "Fix", "How it is known", "Cause", "Sure"] {
            let _ = write!(page, "<th scope=\"col\">{name}</th>");
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for event in of_year.iter().rev() {
            row(event, page);
        }
        page.push_str("</tbody>\n</table></details>\n");
        rest = earlier;
        open = "";
    }
}

fn row(event: &Event, page: &mut String) {
    let name = |class: &str, test: &str| format!("{}#{test}", class.rsplit('.').next().unwrap_or(class));
    let then = name(&event.class, &event.test);
    let today = match &event.today {
        None => "<br><span class=\"muted\">no longer there</span>".to_owned(),
        Some(it) if (&it.path, &it.class, &it.test) == (&event.path, &event.class, &event.test) => String::new(),
        Some(it) => format!(
            "<br><span class=\"muted\">today {} in {}</span>",
            escaped(&name(&it.class, &it.test)),
            escaped(&it.path)
        ),
    };
    let causes: Vec<&str> = event.causes.iter().map(|it| cause_words(it)).collect();
    let _ = writeln!(
        page,
        "<tr><td class=\"number\">{}</td><td>{}<br><span class=\"muted\">{}</span>{today}</td><td><code>{}</code> \
         {}</td><td>{}</td><td>{}</td><td class=\"number\">{:.0}%</td></tr>",
        event.date,
        escaped(&then),
        escaped(&event.path),
        event.fix.get(..10).unwrap_or_default(),
        escaped(&event.subject),
        event.evidence.words(),
        escaped(&causes.join(", ")),
        100.0 * event.certainty
    );
}

/// Escapes a text of the repository for HTML. Control characters, which HTML does not allow, become spaces.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    plain
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
