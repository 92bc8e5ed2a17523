//! Lengths of time that are constants of the source, in milliseconds.
//!
//! ```java
//! static final int LIMIT = 5;
//! latch.await(LIMIT, TimeUnit.SECONDS);         // 5000
//! await().atMost(Duration.ofMillis(200));       // 200
//! ```

use peeler_features::sub_tokens;

use super::catalogue::TimingCatalogue;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::body::{Call, Expression, ExpressionKind, LiteralKind, Statement};

/// The maximum number of constants that are looked up in a row for one length of time: two for `A = B` and `B = 5`.
const MAX_CONSTANTS: u8 = 4;

/// Computes constant expressions of a method body: `2 * LIMIT` is 10 if `LIMIT` is declared as 5.
#[derive(Clone, Copy)]
pub(super) struct Constants<'a, 'r> {
    pub(super) index: &'a Index<'r>,
    pub(super) file: FileId,
    pub(super) owner: TypeId,
    /// The values of the local variables that a constant expression may use, by name.
    pub(super) locals: &'a [(&'r str, &'a Expression<'r>)],
}

impl<'a, 'r> Constants<'a, 'r> {
    /// The milliseconds that the argument at position `at` of a call states: 5000 for `latch.await(5, SECONDS)`. A
    /// number without a unit is in milliseconds. `None` if the argument is missing or no known constant.
    pub(super) fn limit(&self, call: &Call<'r>, at: usize) -> Option<u64> {
        let value = call.arguments.get(at)?;
        if let Some(millis) = self.duration(value, MAX_CONSTANTS) {
            return Some(millis);
        }
        let number = self.number(value, MAX_CONSTANTS)?;
        let unit = call.arguments.get(at + 1).and_then(|it| unit_millis(last_name(it)?));
        Some(scaled(number, unit.unwrap_or((1, 1))))
    }

    /// The milliseconds of a sleep on a unit of time: 3000 for `TimeUnit.SECONDS.sleep(3)`. `None` if the unit or the
    /// number is not a known constant.
    pub(super) fn sleep_of_unit(&self, call: &Call<'r>) -> Option<u64> {
        let unit = unit_millis(last_name(call.receiver.as_ref()?)?)?;
        let number = self.number(call.arguments.first()?, MAX_CONSTANTS)?;
        Some(scaled(number, unit))
    }

    /// Whether the arguments of a sleep name an age at which something expires: `sleep(2 * KEEP_ALIVE_MS)`.
    pub(super) fn is_age(&self, sleep: &Call<'r>) -> bool {
        let names = &TimingCatalogue::shipped().names;
        let texts = sleep.arguments.iter().filter_map(|it| self.text(it));
        texts.flat_map(sub_tokens).any(|it| names.is_age(&it))
    }

    /// The milliseconds of a constant length of time: 200 for `Duration.ofMillis(200)`, 2000 for `SECONDS.toMillis(2)`.
    /// `None` for other expressions.
    fn duration(&self, value: &Expression<'r>, depth: u8) -> Option<u64> {
        match &value.kind {
            ExpressionKind::Call(call) => {
                let number = || self.number(call.arguments.first()?, depth);
                let unit = match call.name {
                    "ofNanos" => (1, 1_000_000),
                    "ofMillis" => (1, 1),
                    "ofSeconds" => (1000, 1),
                    "ofMinutes" => (60_000, 1),
                    "ofHours" => (3_600_000, 1),
                    "ofDays" => (86_400_000, 1),
                    "toMillis" => {
                        let receiver = call.receiver.as_ref()?;
                        match call.arguments.first() {
                            None => return self.duration(receiver, depth),
                            Some(_) => unit_millis(last_name(receiver)?)?,
                        }
                    }
                    "of" => unit_millis(last_name(call.arguments.get(1)?)?)?,
                    _ => return None,
                };
                Some(scaled(number()?, unit))
            }
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } if depth > 0 => match last_name(value)? {
                "ONE_HUNDRED_MILLISECONDS" => Some(100),
                "TWO_HUNDRED_MILLISECONDS" => Some(200),
                "FIVE_HUNDRED_MILLISECONDS" => Some(500),
                "ONE_SECOND" => Some(1000),
                "TWO_SECONDS" => Some(2000),
                "FIVE_SECONDS" => Some(5000),
                "TEN_SECONDS" => Some(10_000),
                "ONE_MINUTE" => Some(60_000),
                name => {
                    let (constants, value) = self.constant(value, name)?;
                    constants.duration(value, depth - 1)
                }
            },
            _ => None,
        }
    }

    fn number(&self, value: &Expression<'r>, depth: u8) -> Option<u64> {
        match &value.kind {
            ExpressionKind::Literal(LiteralKind::Integer | LiteralKind::Long) => {
                let text = self.text(value)?.replace('_', "");
                text.trim_end_matches(['l', 'L']).parse().ok()
            }
            ExpressionKind::Literal(LiteralKind::Floating) => None,
            ExpressionKind::Binary { operator, operands } => {
                let mut values = operands.iter().map(|it| self.number(it, depth));
                let first = values.next()??;
                values.try_fold(first, |sum, it| match *operator {
                    "*" => sum.checked_mul(it?),
                    "+" => sum.checked_add(it?),
                    "-" => sum.checked_sub(it?),
                    "/" => sum.checked_div(it?),
                    _ => None,
                })
            }
            ExpressionKind::Cast { value, .. } => self.number(value, depth),
            ExpressionKind::Call(_) => self.duration(value, depth),
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } if depth > 0 => {
                let (constants, value) = self.constant(value, last_name(value)?)?;
                constants.number(value, depth - 1)
            }
            _ => None,
        }
    }

    /// The expression that gives the local variable or field `name` its value: `5` after `int limit = 5;`. The returned
    /// `Constants` compute it: they look names up in the class that contains the expression. `None` if no value is
    /// found.
    fn constant(&self, value: &Expression<'r>, name: &str) -> Option<(Constants<'a, 'r>, &'a Expression<'r>)> {
        if let ExpressionKind::Name(_) = value.kind
            && let Some((_, local)) = self.locals.iter().rev().find(|(it, _)| *it == name)
        {
            // A variable may be initialised with itself in broken code, so its value sees no variables.
            return Some((Constants { locals: &[], ..*self }, local));
        }
        let owner = match &value.kind {
            ExpressionKind::Field { object, .. } => match last_name(object) {
                Some(type_name) => self.type_named(type_name)?,
                None => self.owner,
            },
            _ => self.owner,
        };
        let mut around = Some(owner);
        while let Some(owner) = around {
            if let Some((ancestor, field)) = self.index.field(owner, name) {
                let Some(Statement::Local(local)) = field.code.get().block.first() else {
                    return None;
                };
                let constants = Constants {
                    index: self.index,
                    file: self.index.file_of(ancestor.id),
                    owner: ancestor.id,
                    locals: &[],
                };
                return Some((constants, local.value.as_ref()?));
            }
            around = self.index.enclosing(owner);
        }
        None
    }

    fn type_named(&self, name: &str) -> Option<TypeId> {
        let outline = self.index.file_outline(self.file);
        let imported = outline.imports.iter().find(|it| !it.is_wildcard && it.name == name);
        imported
            .and_then(|it| self.index.lookup_qualified(it.path, self.file))
            .or_else(|| {
                let path = format!("{}.{name}", outline.package);
                self.index.lookup_qualified(&path, self.file)
            })
            .or_else(|| self.index.nested(self.owner, name))
    }

    fn text(&self, value: &Expression<'r>) -> Option<&'r str> {
        self.index
            .source(self.file)
            .text()
            .get(value.start as usize..value.end as usize)
    }
}

/// The last name of a name or field access: `c` of `a.b.c`. `None` for other expressions.
pub(super) fn last_name<'r>(value: &Expression<'r>) -> Option<&'r str> {
    match &value.kind {
        ExpressionKind::Name(name) | ExpressionKind::Field { name, .. } => Some(name),
        _ => None,
    }
}

/// The milliseconds of a unit of time as numerator and denominator: `(1000, 1)` for `SECONDS`, `(1, 1000)` for
/// `MICROS`. `None` if the name is not that of a unit.
pub(super) fn unit_millis(name: &str) -> Option<(u64, u64)> {
    Some(match name {
        "NANOSECONDS" | "NANOS" => (1, 1_000_000),
        "MICROSECONDS" | "MICROS" => (1, 1000),
        "MILLISECONDS" | "MILLIS" => (1, 1),
        "SECONDS" => (1000, 1),
        "MINUTES" => (60_000, 1),
        "HOURS" => (3_600_000, 1),
        "DAYS" => (86_400_000, 1),
        _ => return None,
    })
}

fn scaled(number: u64, (times, by): (u64, u64)) -> u64 {
    number.saturating_mul(times) / by
}
