//! Code that is seen to run beside a test: servers, brokers, listeners and timers of libraries and frameworks.
//!
//! ```java
//! template.convertAndSend("orders", order);   // a broker delivers the message later
//! Thread.sleep(500);
//! ```

use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression};

use super::catalogue::TimingCatalogue;
use super::event::{EventKind, Item, Span};
use super::owner::{chain_owner, is_type_name};
use super::scan::Scan;

impl<'a, 'r> Scan<'a, 'r> {
    /// Records a call to a server, broker, listener or timer, or to unknown code whose name says that work goes on
    /// after the call.
    pub(super) fn service(&mut self, expression: &'a Expression<'r>, call: &'a Call<'r>) {
        let works_at_once = || call.receiver.as_ref().is_some_and(|it| self.works_at_once(it));
        if is_callback(call.name) || call.name == "close" || works_at_once() {
            return;
        }
        let target = self.body.target(call.id);
        let names = &TimingCatalogue::shipped().concurrent;
        let is_service = match target {
            Target::Declared(id) => {
                let mut annotations = self.body.index.method(id).annotations.iter();
                annotations.any(|it| names.is_annotation(it.name))
            }
            Target::Library(_) => self.body.is_service_class(target),
            Target::Owner(_) => false,
            Target::External(_) => self.body.is_service_class(target) || names.says_start(call.name),
            Target::Unknown => {
                let is_known = chain_owner(self.body.index, self.body.targets, call);
                let has_object = call.receiver.as_ref().is_some_and(|it| !is_type_name(it));
                is_known.is_some_and(|it| names.is_service(&it)) || has_object && names.says_start(call.name)
            }
        };
        if is_service {
            let span = if names.only_asks(call.name) {
                Span::Presence
            } else {
                Span::Library
            };
            self.push(EventKind::Concurrent(span), expression, Vec::new());
            if let (Target::External(class), Some(Item::Event(event))) = (target, self.items.last_mut()) {
                event.object = Some(class);
            }
        }
    }
}

impl<'r> Scan<'_, 'r> {
    /// Whether a new object of a library has threads or processes of its own. Code of the repository is followed
    /// instead, whatever the name of its package is.
    pub(super) fn is_service_object(&self, target: Target<'r>) -> bool {
        let is_library = matches!(target, Target::External(_) | Target::Library(_));
        is_library && self.body.is_service_class(target)
    }
}

/// Whether a method is called when something has happened, such as `onMessage`. A test that calls it delivers the
/// message itself, in its own thread.
fn is_callback(method: &str) -> bool {
    method
        .strip_prefix("on")
        .is_some_and(|it| it.starts_with(char::is_uppercase))
}

/// Whether an annotation such as `@SpringBootTest` on one of a test's classes starts an application, a container or a
/// broker.
pub(super) fn starts_application(index: &Index<'_>, types: &[TypeId]) -> bool {
    let names = &TimingCatalogue::shipped().concurrent;
    types.iter().any(|id| {
        let mut annotations = index.declaration(*id).annotations.iter();
        annotations.any(|it| names.is_annotation(it.name))
    })
}
