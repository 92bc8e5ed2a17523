//! Finds bodies that ask a socket for a free port and close the socket before the port is used.
//!
//! ```java
//! int freePort() throws IOException {
//!     try (ServerSocket socket = new ServerSocket(0)) { return socket.getLocalPort(); }
//! }
//! ```
//!
//! Left out: sockets that are passed to other code, and ports that are used only while the socket is open.

use super::bodies::BodyVariables;
use crate::syntax::body::{Block, ClassBody, Expression, ExpressionKind, Local, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_class, walk_expression, walk_local, walk_statement};

/// Classes of sockets that can be bound to a free port.
const SOCKETS: [&str; 3] = ["ServerSocket", "DatagramSocket", "java.net.ServerSocket"];

/// The `new ServerSocket(0)` expressions of a body whose free port is used after the socket is closed, or returned by
/// the method.
pub(super) fn released_ports<'i, 'r>(text: &'r str, body: &BodyVariables<'i, 'r>) -> Vec<&'i Expression<'r>> {
    // Most bodies end here.
    if !body.code.body().source().contains("getLocalPort") {
        return Vec::new();
    }
    let block = &body.code.body().get().block;
    let mut sockets = Sockets {
        text,
        resource_until: None,
        functions: 0,
        found: Vec::new(),
    };
    walk_block(&mut sockets, block);
    let found = sockets.found.into_iter();
    found
        .filter(|it| is_released(it, block))
        .map(|it| it.construction)
        .collect()
}

/// A local variable that holds a socket on a free port.
struct Socket<'i, 'r> {
    name: &'r str,
    construction: &'i Expression<'r>,
    /// The byte offset where the body of the `try` that closes the socket ends. `None` if no `try` declares the socket
    /// as a resource.
    closed_at: Option<u32>,
    /// The number of functions and classes of the body around the variable.
    functions: usize,
}

/// A visitor that collects the local variables of a body that hold a socket on a free port.
struct Sockets<'i, 'r> {
    text: &'r str,
    /// The byte offset where the body of a `try` ends, while the resources of that `try` are visited; otherwise `None`.
    resource_until: Option<u32>,
    /// The number of functions and classes of the body around the visited code.
    functions: usize,
    found: Vec<Socket<'i, 'r>>,
}

impl<'i, 'r: 'i> Visit<'i, 'r> for Sockets<'i, 'r> {
    fn statement(&mut self, statement: &'i Statement<'r>) {
        if let Statement::Try { resources, body, .. } = statement {
            self.resource_until = Some(end_of(body));
            self.block(resources);
            self.resource_until = None;
            self.block(body);
        } else {
            walk_statement(self, statement);
        }
    }

    fn local(&mut self, local: &'i Local<'r>) {
        if let Some(value) = &local.value {
            self.assign(local.name, value);
        }
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        if let ExpressionKind::Assign { target, value, .. } = &expression.kind
            && let ExpressionKind::Name(name) = target.kind
        {
            self.assign(name, value);
        }
        let function = usize::from(matches!(expression.kind, ExpressionKind::Lambda(_)));
        self.functions += function;
        walk_expression(self, expression);
        self.functions -= function;
    }

    fn class(&mut self, class: &'i ClassBody<'r>) {
        self.functions += 1;
        walk_class(self, class);
        self.functions -= 1;
    }
}

impl<'i, 'r> Sockets<'i, 'r> {
    /// Notes the variable `name` if `value` constructs a socket on a free port: `new ServerSocket(0)`.
    fn assign(&mut self, name: &'r str, value: &'i Expression<'r>) {
        let ExpressionKind::New(new) = &value.kind else {
            return;
        };
        let port = new.arguments.first();
        let is_free = port.is_none_or(|it| &self.text[it.start as usize..it.end as usize] == "0");
        if is_free && SOCKETS.contains(&new.type_text) {
            self.found.push(Socket {
                name,
                construction: value,
                closed_at: self.resource_until,
                functions: self.functions,
            });
        }
    }
}

/// The byte offset after the last expression of a block.
fn end_of(block: &Block<'_>) -> u32 {
    struct End(u32);
    impl<'b, 'r: 'b> Visit<'b, 'r> for End {
        fn expression(&mut self, expression: &'b Expression<'r>) {
            self.0 = self.0.max(expression.end);
            walk_expression(self, expression);
        }
    }
    let mut end = End(0);
    walk_block(&mut end, block);
    end.0
}

/// Whether the port of a socket is used after the socket is closed, or returned by the method. A socket that is passed
/// to other code does not count.
fn is_released<'i, 'r: 'i>(socket: &Socket<'i, 'r>, block: &'i Block<'r>) -> bool {
    let mut uses = Uses {
        name: socket.name,
        closed_at: socket.closed_at,
        is_passed_on: false,
        ports: Vec::new(),
        is_returned: false,
        in_return: false,
        home: socket.functions,
        functions: 0,
        used_at: Vec::new(),
    };
    walk_block(&mut uses, block);
    let Some(closed_at) = uses.closed_at else {
        return false;
    };
    let is_used_later = uses.used_at.iter().any(|at| *at > closed_at);
    !uses.is_passed_on && (uses.is_returned || is_used_later)
}

/// A visitor that collects how a socket and its port are used.
struct Uses<'r> {
    name: &'r str,
    closed_at: Option<u32>,
    is_passed_on: bool,
    /// Names of variables that hold the port of the socket whose uses are collected.
    ports: Vec<&'r str>,
    is_returned: bool,
    in_return: bool,
    /// The number of functions and classes of the body around the variable that holds the socket. What others return is
    /// not returned by the code that closes the socket.
    home: usize,
    /// The number of functions and classes of the body around the visited code.
    functions: usize,
    used_at: Vec<u32>,
}

impl<'r> Uses<'r> {
    fn is_socket(&self, expression: &Expression<'r>) -> bool {
        matches!(expression.kind, ExpressionKind::Name(name) if name == self.name)
    }

    fn is_port(&self, expression: &Expression<'r>) -> bool {
        let ExpressionKind::Call(call) = &expression.kind else {
            return false;
        };
        let receiver = call.receiver.as_ref().map(|it| &it.kind);
        call.name == "getLocalPort" && matches!(receiver, Some(ExpressionKind::Name(name)) if *name == self.name)
    }
}

impl<'i, 'r: 'i> Visit<'i, 'r> for Uses<'r> {
    fn statement(&mut self, statement: &'i Statement<'r>) {
        if let Statement::Return(Some(_)) = statement {
            let outside = std::mem::replace(&mut self.in_return, self.functions == self.home);
            walk_statement(self, statement);
            self.in_return = outside;
        } else {
            walk_statement(self, statement);
        }
    }

    fn local(&mut self, local: &'i Local<'r>) {
        if local.value.as_ref().is_some_and(|it| self.is_port(it)) {
            self.ports.push(local.name);
        }
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Lambda(_) => {
                self.functions += 1;
                walk_expression(self, expression);
                self.functions -= 1;
            }
            ExpressionKind::Name(name) if *name == self.name => self.is_passed_on = true,
            ExpressionKind::Name(name) if self.ports.contains(name) => {
                self.is_returned |= self.in_return;
                self.used_at.push(expression.start);
            }
            ExpressionKind::Assign { target, value, .. } if self.is_port(value) => match target.kind {
                ExpressionKind::Name(name) => self.ports.push(name),
                _ => self.is_returned = true,
            },
            ExpressionKind::Assign { target, value, .. } if self.is_socket(target) => self.expression(value),
            // A comparison with null uses nothing.
            ExpressionKind::Binary { operands, .. } if operands.iter().any(|it| self.is_socket(it)) => {}
            ExpressionKind::Call(call) => {
                let receiver = call.receiver.as_ref().map(|it| &it.kind);
                if !matches!(receiver, Some(ExpressionKind::Name(name)) if *name == self.name) {
                    return walk_expression(self, expression);
                }
                match call.name {
                    "getLocalPort" => self.is_returned |= self.in_return,
                    "close" => self.closed_at = Some(self.closed_at.map_or(call.name_at, |it| it.min(call.name_at))),
                    "accept" | "receive" => self.is_passed_on = true,
                    _ => {}
                }
                for argument in &call.arguments {
                    self.expression(argument);
                }
            }
            _ => walk_expression(self, expression),
        }
    }

    fn class(&mut self, class: &'i ClassBody<'r>) {
        self.functions += 1;
        walk_class(self, class);
        self.functions -= 1;
    }
}
