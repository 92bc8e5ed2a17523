//! Comparisons in an abstract run: whether the outcome of comparing two values can differ from run to run.
//!
//! The outcome is an abstract truth value. It has the undefined order and the nondeterministic scalars that the
//! comparison notices. Two values from the same source are equal in every run.

use super::literals::{elements, entries, has_group, is_one_property, shows_two_elements};
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;

/// How much of a value an assertion or a comparison such as `startsWith` compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The comparison is about the whole value: `equals`.
    Whole,
    /// The comparison is about some part of the value: `startsWith`, `contains`.
    Part,
}

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The truth value of comparing two values for equality, with the nondeterminism that it notices.
    pub(super) fn compare(&self, a: &Value<'i, 'r>, b: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        self.compared(a, b, Extent::Whole, site)
    }

    /// The truth value of `==`, with the nondeterminism that it notices. A container is the same in every order.
    pub(super) fn identity(&self, a: &Value<'i, 'r>, b: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        let mut outcome = self.compare(a, b, site);
        if a.form.is_container() || b.form.is_container() {
            outcome.disorder = outcome.disorder.filter(|it| it.exposure == Exposure::Element);
        }
        outcome
    }

    /// The truth value of comparing two values for equality, or of finding the second as a part of the first. It has
    /// the nondeterminism that the comparison notices.
    pub(super) fn compared(&self, a: &Value<'i, 'r>, b: &Value<'i, 'r>, extent: Extent, site: Site) -> Value<'i, 'r> {
        let mut outcome = Value::of(Form::Boolean);
        for (one, other) in [(a, b), (b, a)] {
            let is_echo = |it: &Trace| self.may_be_given(other) && self.is_given(it);
            if let Some(disorder) = noticed_disorder(one, other, extent).filter(|it| !is_echo(&it.trace)) {
                outcome.absorb(&Value {
                    disorder: Some(Box::new(Disorder {
                        is_sure: disorder.is_sure || shows_two(disorder.exposure, other),
                        ..disorder.then(site)
                    })),
                    ..Value::default()
                });
            }
            // What a test gives to code is its input: what the code returns for it mostly holds for every input.
            let is_input = |it: &Taint| other.constant.is_none() || it.trace.calls() > 0;
            let is_any_given = || other.taints.iter().any(|it| self.is_given(&it.trace));
            let is_returned = |it: &Taint| is_input(it) && (self.is_given(&it.trace) || is_any_given());
            let noticed = |it: &&Taint| is_taint_noticed(it, one, other) && !is_returned(it);
            for taint in one.taints.iter().filter(noticed) {
                outcome.add_taint(Taint {
                    trace: taint.trace.then(site),
                    is_shifted: false,
                });
            }
        }
        outcome.settled = a.settled.clone().or_else(|| b.settled.clone());
        if outcome.disorder.is_none() && outcome.settled.is_none() {
            let is_assumed = is_order_assumed(a, b) || is_order_assumed(b, a);
            outcome.disorder = is_assumed.then(|| Box::new(assumed_order(site)));
        }
        outcome
    }

    /// The truth value of a comparison such as `<`, with the nondeterminism that it notices. Both values are written in
    /// the place `operands`; `site` is the place for messages.
    pub(super) fn relation(
        &self,
        operator: &str,
        (a, b): (&Value<'i, 'r>, &Value<'i, 'r>),
        operands: Site,
        site: Site,
    ) -> Value<'i, 'r> {
        let mut outcome = Value::of(Form::Boolean);
        let (small, large) = if operator.starts_with('<') { (a, b) } else { (b, a) };
        let is_strict = !operator.ends_with('=');
        let mut notice = |taint: &Taint| {
            outcome.add_taint(Taint {
                trace: taint.trace.then(site),
                is_shifted: false,
            });
        };
        for taint in &small.taints {
            match taint.kind() {
                // An upper limit of a duration; a lower one follows from a wait.
                SourceKind::Elapsed if !large.constant.is_some_and(|it| self.is_generous(taint, it)) => notice(taint),
                SourceKind::Clock if is_year(large) => notice(taint),
                SourceKind::Clock if is_strict && is_other_reading(taint, small, large) => {
                    // What is read in the comparison is never before what was read earlier.
                    let mut others = large.taints.iter().filter(|it| it.kind() == SourceKind::Clock);
                    let is_last = taint.trace.is_read_in(operands) && !others.any(|it| it.trace.is_read_in(operands));
                    if !is_last {
                        notice(taint);
                    }
                }
                SourceKind::Random => {
                    let limit: Option<i64> = large
                        .constant
                        .and_then(|it| it.trim_end_matches(['L', 'l']).parse().ok());
                    let bound = small.count.map(i64::from);
                    let always =
                        limit.zip(bound).is_some_and(
                            |(limit, bound)| {
                                if is_strict { bound <= limit } else { bound - 1 <= limit }
                            },
                        );
                    if !always && large.constant.is_some_and(is_limit) {
                        notice(taint);
                    }
                }
                _ => {}
            }
        }
        for taint in large
            .taints
            .iter()
            .filter(|it| it.kind() == SourceKind::Clock && is_year(small))
        {
            notice(taint);
        }
        for taint in large.taints.iter().filter(|it| it.kind() == SourceKind::Random) {
            let is_floor = small
                .constant
                .is_some_and(|it| it == "0" || it.starts_with('-') || it.ends_with("MIN_VALUE"));
            if !is_floor && small.constant.is_some_and(is_limit) {
                notice(taint);
            }
        }
        for value in [a, b] {
            if let Some(disorder) = value.disorder.as_ref().filter(|it| it.exposure == Exposure::Element) {
                outcome.absorb(&Value {
                    disorder: Some(disorder.clone()),
                    ..Value::default()
                });
            }
        }
        outcome
    }

    /// Whether a number is an upper limit of ten seconds or more, which the measured time does not come near. It is
    /// in milliseconds, unless the clock counts nanoseconds.
    fn is_generous(&self, measured: &Taint, limit: &str) -> bool {
        let site = measured.trace.origin().site;
        let text = self.shared.index.source(site.file).text();
        let clock = text.get(site.start as usize..site.end as usize);
        let least = if clock.is_some_and(|it| it.contains("nano")) {
            10_000_000_000
        } else {
            10_000
        };
        let number: Option<u64> = limit.trim_end_matches(['L', 'l']).replace('_', "").parse().ok();
        number.is_some_and(|it| it >= least)
    }
}

/// Whether a literal may be a limit of random numbers. A letter is none: `c >= 'a'` asks what kind of character it is.
fn is_limit(literal: &str) -> bool {
    !literal.starts_with('\'')
}

/// Whether a value is a literal that looks like a year.
fn is_year(value: &Value<'_, '_>) -> bool {
    let number: Option<u32> = value.constant.and_then(|it| it.parse().ok());
    number.is_some_and(|it| (1990..2100).contains(&it))
}

pub(super) fn has_kind(value: &Value<'_, '_>, kind: SourceKind) -> bool {
    value.taints.iter().any(|it| it.kind() == kind)
}

/// Whether `own` and `other` have two different clock readings, both unchanged: `now + 5` is a changed reading. `taint`
/// is the reading in `own`.
fn is_other_reading(taint: &Taint, own: &Value<'_, '_>, other: &Value<'_, '_>) -> bool {
    let reading = other.taints.iter().find(|it| it.kind() == SourceKind::Clock);
    reading.is_some_and(|it| {
        !it.is_shifted && !taint.is_shifted && !it.trace.has_origin_of(&taint.trace) && !shares_origin(own, other)
    })
}

fn shares_origin(a: &Value<'_, '_>, b: &Value<'_, '_>) -> bool {
    a.taints
        .iter()
        .any(|one| b.taints.iter().any(|it| it.trace.has_origin_of(&one.trace)))
}

/// The undefined order of `value` that a comparison with `other` notices; `None` if it notices none.
fn noticed_disorder<'v>(value: &'v Value<'_, '_>, other: &Value<'_, '_>, extent: Extent) -> Option<&'v Disorder> {
    let own = value.disorder.as_ref().filter(|_| value.may_have_two());
    let inside = || {
        let inner = value.inner.as_deref().filter(|_| value.form.is_container())?;
        let disorder = inner.disorder.as_ref().filter(|_| inner.may_have_two())?;
        (disorder.exposure != Exposure::Container).then_some(disorder)
    };
    let disorder = own
        .filter(|it| is_order_compared(it.exposure, value.form))
        .or_else(inside)?;
    let is_blind = match other.form {
        Form::Set | Form::Map | Form::Tree => disorder.exposure != Exposure::Element,
        Form::Number | Form::Boolean => disorder.exposure != Exposure::Element,
        _ => false,
    };
    let origin_kind = disorder.trace.origin().kind;
    let has_same_order = other.disorder.as_ref().is_some_and(|it| {
        it.trace.has_origin_of(&disorder.trace)
            || has_equal_order(it, disorder)
            || origin_kind == SourceKind::SerialiserOrder
                && it.trace.origin().kind == origin_kind
                && !are_of_two_libraries(&it.trace.origin().what, &disorder.trace.origin().what)
    });
    let is_one_part = |it: &str| match extent {
        Extent::Whole => elements(it) < 2,
        Extent::Part if origin_kind == SourceKind::SerialiserOrder && is_one_property(it) => true,
        Extent::Part if disorder.is_sure => elements(it) < 2,
        Extent::Part => entries(it) < 2,
    };
    // Of a part that is no literal, nothing says that it spans two elements.
    let is_unknown_part = extent == Extent::Part && other.constant.is_none() && other.literal_parts < 2;
    // A container that was printed shows in a text only with its brackets and a comma between them.
    let is_missing = |open: char| {
        other.constant.is_some_and(|it| match extent {
            Extent::Whole => !has_group(it, open),
            Extent::Part => !it.contains(','),
        })
    };
    let has_few = disorder.exposure != Exposure::Element
        && (is_unknown_part
            || disorder.bracket.is_some_and(is_missing)
            || other.count == Some(0)
            || !(disorder.is_sure && extent == Extent::Whole)
                && (other.count.is_some_and(|it| it < 2) || other.constant.is_some_and(is_one_part)));
    let is_null = other.constant == Some("null");
    (!is_blind && !has_same_order && !has_few && !is_null).then_some(disorder)
}

/// Whether two undefined orders are those of two hash sets of one class. Equal sets mostly have one order. Maps do not
/// count: two maps with the same values may have other keys.
pub(super) fn has_equal_order(one: &Disorder, other: &Disorder) -> bool {
    let (one, other) = (one.trace.origin(), other.trace.origin());
    one.kind == SourceKind::HashOrder && other.kind == one.kind && one.what == other.what && one.what.contains("Set")
}

/// Whether two descriptions of serialisers name different libraries: `serialises Cart with Gson, ..`.
fn are_of_two_libraries(one: &str, other: &str) -> bool {
    let library = |what: &str| Some(what.split_once(" with ")?.1.split_once(',')?.0.to_owned());
    library(one)
        .zip(library(other))
        .is_some_and(|(one, other)| one != other)
}

/// Whether the value that something in an undefined order is compared with shows that it has at least two elements.
fn shows_two(exposure: Exposure, expected: &Value<'_, '_>) -> bool {
    let has_two = expected.count.is_some_and(|it| it >= 2) || expected.constant.is_some_and(shows_two_elements);
    exposure != Exposure::Element && has_two
}

/// Whether a literal text with several parts, such as keys, is compared with a text that unknown code made. Such a
/// comparison assumes an order of the parts that nothing guarantees.
fn is_order_assumed(literal: &Value<'_, '_>, other: &Value<'_, '_>) -> bool {
    let is_text = matches!(other.form, Form::Text | Form::Unknown);
    let has_fewer = other.literal_parts < literal.literal_parts;
    let is_unknown = other.settings.is_opaque && has_fewer && other.disorder.is_none();
    is_text && is_unknown && literal.form == Form::Text && !literal.settings.is_opaque && literal.literal_parts > 1
}

/// The undefined order of a text that unknown code made. The comparison of the text with a literal, at `site`, expects
/// its keys in one order.
fn assumed_order(site: Site) -> Disorder {
    let what = "expects several keys in an order that unknown code decides".to_owned();
    Disorder {
        is_sure: true,
        ..Disorder::new(Exposure::Text, Trace::new(SourceKind::UnknownOrder, site, what))
    }
}

/// Whether comparing a value for equality notices that its order is undefined. For a list it does, for a set it does
/// not. If `exposure` tells that the order shows in a text or in a picked element, it always does.
fn is_order_compared(exposure: Exposure, form: Form) -> bool {
    match exposure {
        Exposure::Container => form == Form::List,
        Exposure::Sequence => !matches!(form, Form::Set | Form::Map | Form::Tree | Form::Iterator | Form::Stream),
        Exposure::Text | Exposure::Element => true,
    }
}

/// Whether comparing the nondeterministic value `own` with `other` notices the nondeterminism `taint`.
fn is_taint_noticed(taint: &Taint, own: &Value<'_, '_>, other: &Value<'_, '_>) -> bool {
    let kind = taint.kind();
    if shares_origin(own, other) || other.constant == Some("null") {
        return false;
    }
    if kind.is_fixed_in_run() {
        return match other.constant {
            Some(text) if kind == SourceKind::LineSeparator => text.contains("\\n") && !has_kind(other, kind),
            Some(text) if kind == SourceKind::Charset => has_other_letters(text),
            // The letter that has another capital in Turkish.
            Some(text) if kind == SourceKind::LetterCase => text.contains(['i', 'I']) && own.constant != other.constant,
            Some(text) => text != "\"\"" && other.form != Form::Boolean && !has_kind(other, kind),
            None => false,
        };
    }
    match kind {
        // Two clocks are compared by their zones, not by the time that they show.
        SourceKind::Clock if own.form == Form::Tool => false,
        SourceKind::Clock => {
            // A word without digits is no time, so another part of the value is compared.
            let is_time = other
                .constant
                .is_some_and(|it| it.contains(|it: char| it.is_ascii_digit()));
            // Zero stands for a time that is not set.
            let is_zero = other.constant.is_some_and(|it| matches!(it, "0" | "0L" | "0l"));
            let is_time = is_time && !is_zero;
            has_kind(other, SourceKind::Clock) || is_meaningful(other) && is_time && other.form != Form::Boolean
        }
        SourceKind::Elapsed | SourceKind::Random | SourceKind::GeneratedId => {
            is_meaningful(other) || has_kind(other, kind)
        }
        SourceKind::Identity => {
            is_meaningful(other) || !other.settings.is_opaque && !has_kind(other, kind) && other.form.is_scalar()
        }
        _ => is_meaningful(other),
    }
}

/// Whether a literal has letters outside ASCII, as they are or as escapes.
pub(super) fn has_other_letters(literal: &str) -> bool {
    !literal.is_ascii() || literal.contains("\\u")
}

/// Whether a value is a literal that is neither the empty string nor -1.
fn is_meaningful(value: &Value<'_, '_>) -> bool {
    value.constant.is_some_and(|it| it != "\"\"" && it != "-1")
}
