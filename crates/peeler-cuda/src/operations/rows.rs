//! Sums of rows.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::package::{Lists, narrow};
use crate::queue::Argument::Small;
use crate::queue::{NULL, Write};
use crate::tape::{Tape, Term};

/// The largest number of rows that one warp adds up.
const LONGEST_OF_A_WARP: usize = 32;
/// The number of threads of a warp.
pub(super) const WARP: usize = 32;
/// The number of warps in a block whose warps work on rows of their own.
pub(super) const WARPS: usize = 8;
/// The threads of such a block.
pub(super) const BLOCK: (u32, u32) = (256, 1);
/// The largest number of parts that a sum over all rows is made of.
const MOST_PARTS: usize = 64;

impl Tape<'_> {
    /// The weighted sum of rows of `table` for each list, `[lists, width]`.
    ///
    /// # Panics
    ///
    /// If the lists are not of rows of this table.
    #[must_use]
    pub fn sums(&self, table: &Term, lists: &Arc<Lists>) -> Term {
        let out = self.queue.unset(lists.count(), table.columns());
        self.sum_lists(&out, &table.value, lists, Write::Over);
        let (table, lists) = (table.clone(), lists.clone());
        self.result(out, move |tape, gradient| {
            let back = lists.back.as_ref().expect("lists were packed for training");
            tape.add_gradient(&table, |out, write| tape.sum_lists(out, &gradient, back, write));
        })
    }

    /// Adds a row to each row of a matrix.
    ///
    /// # Panics
    ///
    /// If the row has another width.
    #[must_use]
    pub fn with_row(&self, value: &Term, row: &Term) -> Term {
        assert_eq!((1, value.columns()), (row.rows(), row.columns()), "a row fits a matrix");
        let out = self.queue.unset(value.rows(), value.columns());
        let shape = [super::elements::count(&out), Small(narrow(out.columns()))];
        let arguments = [
            self.whole(&out),
            self.whole(&value.value),
            self.whole(&row.value),
            shape[0],
            shape[1],
        ];
        self.queue.launch_each("add_row", out.elements(), &arguments);
        let (value, row) = (value.clone(), row.clone());
        self.result(out, move |tape, gradient| {
            tape.add_gradient(&row, |out, write| tape.add_rows(out, &gradient, None, write));
            tape.give_gradient(&value, gradient);
        })
    }

    /// Writes or adds to `out` the sum of all rows of `left`, or of `left * right` element by element.
    pub(super) fn add_rows(&self, out: &Matrix, left: &Matrix, right: Option<&Matrix>, write: Write) {
        let (rows, width) = (left.rows(), left.columns());
        let parts = rows.div_ceil(64).clamp(1, MOST_PARTS);
        let room = self.queue.unset(parts, width);
        let shape = [Small(narrow(rows)), Small(narrow(width))];
        let right = right.map_or(NULL, |it| self.queue.pointer(it, 0, left.elements()));
        let arguments = [self.whole(&room), self.whole(left), right, shape[0], shape[1]];
        let grid = (width.div_ceil(WARP), parts);
        self.queue.launch("column_parts", grid, (32, 8), &arguments);
        assert_eq!(out.elements(), width, "a sum of rows is a row");
        let arguments = [
            self.whole(out),
            self.whole(&room),
            Small(narrow(parts)),
            Small(narrow(width)),
            Small(write.into()),
        ];
        self.queue.launch_each("sum_parts", width, &arguments);
    }

    fn sum_lists(&self, out: &Matrix, table: &Matrix, lists: &Lists, write: Write) {
        assert_eq!(lists.sources, table.rows(), "lists are of rows of the table");
        assert_eq!(
            (lists.count(), table.columns()),
            (out.rows(), out.columns()),
            "a sum for each list"
        );
        let words = |range| self.queue.words(self.delivery, lists.package, range);
        let arguments = [
            self.whole(out),
            self.whole(table),
            words(&lists.starts),
            words(&lists.rows),
            lists.weights.as_ref().map_or(NULL, words),
            Small(narrow(lists.count())),
            Small(narrow(table.columns())),
            Small(write.into()),
        ];
        if lists.longest <= LONGEST_OF_A_WARP {
            let grid = (lists.count().div_ceil(WARPS), 1);
            self.queue.launch("sum_short_lists", grid, BLOCK, &arguments);
        } else {
            let grid = (lists.count(), table.columns().div_ceil(WARP));
            self.queue.launch("sum_long_lists", grid, (32, 16), &arguments);
        }
    }
}
