//! Statements of blocks that contain other blocks.

use crate::syntax::body::{Block, Statement};

/// The statements of a block. A block that contains only another block is replaced by that block.
pub(super) fn innermost<'b, 'r>(block: &'b Block<'r>) -> &'b Block<'r> {
    match block.as_slice() {
        [Statement::Block(inner)] => innermost(inner),
        _ => block,
    }
}

/// The last statement of a block; if that is a block, the last statement inside it. `None` if the block is empty.
pub(super) fn last_statement<'b, 'r>(block: &'b Block<'r>) -> Option<&'b Statement<'r>> {
    match block.last()? {
        Statement::Block(inner) => last_statement(inner),
        other => Some(other),
    }
}
