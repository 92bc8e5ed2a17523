//! Whether the client that a call uses is a real one, which reaches the network, or a mock.
//!
//! ```java
//! RestTemplate client = new RestTemplate(mock(ClientHttpRequestFactory.class));  // a mock answers
//! MockRestServiceServer.createServer(client);                                    // the same
//! ```

use super::bodies::BodyVariables;
use super::catalogue::UseEntry;
use super::evaluator::Evaluator;
use crate::syntax::body::{Expression, ExpressionKind};

/// Parts of expressions that make a mock.
const MOCKS: [&str; 3] = ["mock", "Mock", "spy("];

/// Whether a receiver fulfils the conditions of a catalogue entry. If there are any, the `new` or call that makes the
/// receiver must be found. Neither its text nor one of its arguments may be a mock. It must contain one of the entry's
/// `receiver_mentions`, if any.
pub(super) fn is_fitting<'i, 'r>(
    evaluator: &Evaluator<'i, 'r>,
    body: &BodyVariables<'i, 'r>,
    entry: &UseEntry,
    receiver: Option<&'i Expression<'r>>,
) -> bool {
    if !entry.real_receiver && entry.receiver_mentions.is_empty() {
        return true;
    }
    let Some(receiver) = receiver.filter(|it| !is_served(evaluator, body, entry, it)) else {
        return false;
    };
    let is_mock = |text: &str| MOCKS.iter().any(|it| text.contains(it));
    let words = &entry.receiver_mentions;
    let is_real = evaluator.made_by(body, receiver, |body, made| {
        let arguments = match &made.kind {
            ExpressionKind::New(new) => &new.arguments,
            ExpressionKind::Call(call) => &call.arguments,
            _ => return None,
        };
        let is_mocked = |it: &'i Expression<'r>| {
            let is_mock = evaluator.made_by(body, it, |body, made| Some(is_mock(evaluator.text(body, made))));
            is_mock == Some(true)
        };
        let text = evaluator.text(body, made);
        let is_mentioned = words.is_empty() || words.iter().any(|it| text.contains(it.as_str()));
        Some(is_mentioned && !is_mock(text) && !arguments.iter().any(is_mocked))
    });
    is_real == Some(true)
}

/// Whether the file passes a receiver to a call that makes a mock answer its requests.
fn is_served<'i, 'r>(
    evaluator: &Evaluator<'i, 'r>,
    body: &BodyVariables<'i, 'r>,
    entry: &UseEntry,
    receiver: &'i Expression<'r>,
) -> bool {
    let name = evaluator.text(body, receiver).trim_start_matches("this.");
    let source = evaluator.index.source(body.file).text();
    entry.served_by.iter().any(|call| {
        source.match_indices(call.as_str()).any(|(at, _)| {
            let passed = source[at + call.len()..].trim_start().strip_prefix('(');
            let rest = passed.map(|it| it.trim_start().trim_start_matches("this."));
            let rest = rest.and_then(|it| it.strip_prefix(name));
            rest.is_some_and(|it| it.trim_start().starts_with([')', ',']))
        })
    })
}

/// Whether a receiver is a class whose static methods the file replaces: `mockStatic(InetAddress.class)`.
pub(super) fn is_static_mock<'i, 'r>(
    evaluator: &Evaluator<'i, 'r>,
    body: &BodyVariables<'i, 'r>,
    receiver: &Expression<'r>,
) -> bool {
    let class = evaluator.text(body, receiver);
    let text = evaluator.index.source(body.file).text();
    text.match_indices("mockStatic(").any(|(at, call)| {
        text[at + call.len()..]
            .trim_start()
            .starts_with(&format!("{class}.class"))
    })
}
