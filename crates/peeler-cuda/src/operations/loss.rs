//! The loss of two classes.

use crate::matrix::Matrix;
use crate::package::{Floats, narrow};
use crate::queue::Argument::Small;
use crate::tape::{Tape, Term};

impl Tape<'_> {
    /// The mean cross-entropy of scores of two classes, `[1, 1]`. `targets` are the probabilities of the second one.
    ///
    /// Nothing else may follow from it: its gradients are those of the loss itself.
    ///
    /// # Panics
    ///
    /// If there are not as many targets.
    #[must_use]
    pub fn cross_entropy(&self, scores: &Term, targets: &Floats) -> Term {
        let count = scores.rows();
        assert_eq!(
            (scores.columns(), targets.words.len()),
            (2, count),
            "two classes, and a target for each row"
        );
        let (loss, d_scores) = (self.queue.unset(1, 1), self.queue.unset(count, 2));
        let inputs = [&loss, &d_scores, &scores.value].map(|it| self.whole(it));
        let targets = self.queue.words(self.delivery, targets.package, &targets.words);
        let arguments = [inputs[0], inputs[1], inputs[2], targets, Small(narrow(count))];
        self.queue.launch("cross_entropy", (1, 1), (256, 1), &arguments);
        let scores = scores.clone();
        self.result(loss, move |tape, _| tape.give_gradient(&scores, d_scores))
    }

    /// The probabilities of the second of two classes, `[rows, 1]`.
    ///
    /// # Panics
    ///
    /// If there are not two classes.
    #[must_use]
    pub fn probabilities(&self, scores: &Term) -> Matrix {
        assert_eq!(scores.columns(), 2, "two classes");
        let out = self.queue.unset(scores.rows(), 1);
        let arguments = [
            self.whole(&out),
            self.whole(&scores.value),
            Small(narrow(scores.rows())),
        ];
        self.queue.launch_each("probabilities", scores.rows(), &arguments);
        out
    }
}
