//! What can be changed around a test without touching its code.
//!
//! Plain reruns miss most flakiness because they repeat the same conditions. A perturbation is another condition that
//! the test has no right to depend on: an order, a busy or slow machine, a time zone, a language.
//!
//! Invariant: a perturbation is described completely by its value, seed included, so the value is enough to set up the
//! same condition again.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};

/// A changed condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Perturbation {
    /// Nothing is changed.
    #[default]
    None,
    /// The tests ran in a shuffled order.
    Order {
        /// What the order was drawn with.
        seed: u64,
    },
    /// Threads of this program keep the processors busy.
    Stress {
        /// How many.
        threads: usize,
    },
    /// Another default time zone.
    Zone {
        /// Such as `Asia/Kolkata`.
        id: String,
    },
    /// Another default locale.
    Locale {
        /// Such as `tr`.
        language: String,
        /// Such as `TR`.
        country: String,
    },
    /// The JVM sees this many processors, so that threads start and meet at other times.
    Processors {
        /// How many.
        count: usize,
    },
    /// Nothing is compiled: everything is slow, threads included.
    Interpreted,
}

/// The kinds of perturbation a user can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Shuffled orders.
    Order,
    /// Busy processors.
    Stress,
    /// Time zones.
    Zone,
    /// Locales.
    Locale,
    /// A single processor.
    Processors,
    /// No compilation.
    Interpreted,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Order,
        Self::Stress,
        Self::Zone,
        Self::Locale,
        Self::Processors,
        Self::Interpreted,
    ];

    /// The conditions of a kind other than order, which has conditions of its own for every seed.
    #[must_use]
    pub fn conditions(self) -> Vec<Perturbation> {
        let zone = |id: &str| Perturbation::Zone { id: id.to_owned() };
        let locale = |language: &str, country: &str| Perturbation::Locale {
            language: language.to_owned(),
            country: country.to_owned(),
        };
        match self {
            Self::Order => Vec::new(),
            Self::Stress => vec![Perturbation::Stress {
                threads: stress_threads(),
            }],
            // Far ahead of and behind UTC, so that one of them has another date at any time of the day.
            Self::Zone => vec![zone("Pacific/Kiritimati"), zone("Pacific/Pago_Pago")],
            // Turkish has other cases for `i`, German another decimal point.
            Self::Locale => vec![locale("tr", "TR"), locale("de", "DE")],
            Self::Processors => vec![Perturbation::Processors { count: 1 }],
            Self::Interpreted => vec![Perturbation::Interpreted],
        }
    }
}

/// Two for each processor, but never so many that the machine stops answering.
fn stress_threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    (2 * processors).min(16)
}

impl Perturbation {
    /// Whether nothing is changed.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Whether it makes everything slower, so that running out of time proves nothing.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        matches!(self, Self::Stress { .. } | Self::Processors { .. } | Self::Interpreted)
    }

    /// The options of the JVM that bring it about.
    #[must_use]
    pub fn jvm_options(&self) -> Vec<String> {
        match self {
            Self::None | Self::Order { .. } | Self::Stress { .. } => Vec::new(),
            Self::Zone { id } => vec![format!("-Duser.timezone={id}")],
            Self::Locale { language, country } => vec![
                format!("-Duser.language={language}"),
                format!("-Duser.country={country}"),
            ],
            Self::Processors { count } => vec![format!("-XX:ActiveProcessorCount={count}")],
            Self::Interpreted => vec!["-Xint".to_owned()],
        }
    }

    /// In a few words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::None => "nothing changed".to_owned(),
            Self::Order { seed } => format!("order shuffled with seed {seed}"),
            Self::Stress { threads } => format!("{threads} threads keeping the processors busy"),
            Self::Zone { id } => format!("time zone {id}"),
            Self::Locale { language, country } => format!("locale {language}_{country}"),
            Self::Processors { count } => format!("{count} processor for the JVM"),
            Self::Interpreted => "a JVM that only interprets".to_owned(),
        }
    }
}

/// Threads that keep processors busy for as long as this value lives.
#[derive(Debug)]
pub struct Stress {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Stress {
    /// Starts the threads that a perturbation asks for.
    #[must_use]
    pub fn start(perturbation: &Perturbation) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let threads = match perturbation {
            Perturbation::Stress { threads } => *threads,
            _ => 0,
        };
        let threads = (0..threads)
            .map(|_| {
                let over = Arc::clone(&over);
                std::thread::spawn(move || {
                    while !over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                })
            })
            .collect();
        Self { over, threads }
    }
}

impl Drop for Stress {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_but_order_and_stress_is_a_matter_of_jvm_options() {
        for kind in Kind::ALL {
            for condition in kind.conditions() {
                let has_options = !condition.jvm_options().is_empty();
                assert_eq!(has_options, kind != Kind::Stress, "{condition:?}");
            }
        }
    }

    #[test]
    fn stress_is_bounded_and_ends_with_its_value() {
        let stress = Stress::start(&Kind::Stress.conditions()[0]);
        let threads = stress.threads.len();
        assert!((2..=16).contains(&threads), "{threads}");
        let over = Arc::clone(&stress.over);
        drop(stress);
        assert_eq!(Arc::strong_count(&over), 1, "every thread has given its share back");
    }
}
