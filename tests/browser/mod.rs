//! A headless Chromium, driven over a pipe by the `DevTools` protocol, for tests of the HTML report.
//!
//! Messages are JSON objects that end with a zero byte. A command has a number, and its answer has the same number;
//! events come in between. Everything that a page must not cause (messages on the console, exceptions, dialogs,
//! requests) is recorded until [`Browser::assert_quiet`] checks it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The time limit for a single operation of the browser on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// The possible names of the browser's program.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A running browser with one page.
pub(crate) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    last_number: u64,
    loaded: bool,
    noise: Vec<Value>,
    /// The folder of the browser's profile, which is deleted with the browser.
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser with an empty page.
    pub(crate) fn start() -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        // The browser reads commands from descriptor 3 and writes to 4; a shell puts its own input and output there.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(chromium())
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--disable-gpu",
                "--no-first-run",
            ])
            // The sandbox does not work for root, who runs tests in containers.
            .arg("--no-sandbox")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let commands = process.stdin.take().expect("a pipe");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                let text = message.strip_suffix(&[0]).unwrap_or(&message);
                let Ok(value) = serde_json::from_slice(text) else { break };
                if sender.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut browser = Self {
            process,
            commands,
            messages,
            session: None,
            last_number: 0,
            loaded: false,
            noise: Vec::new(),
            _profile: profile,
        };
        let page = browser.send("Target.createTarget", &json!({"url": "about:blank"}));
        let attached = browser.send(
            "Target.attachToTarget",
            &json!({"targetId": page["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.send(&format!("{domain}.enable"), &json!({}));
        }
        browser.send(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false}),
        );
        browser
    }

    /// Opens a file and waits until the page is loaded.
    pub(crate) fn open(&mut self, page: &Path) {
        self.loaded = false;
        self.send("Page.navigate", &json!({"url": format!("file://{}", page.display())}));
        while !self.loaded {
            let message = self.receive("the page to load");
            self.note(&message);
        }
    }

    /// Sets the preferred colour scheme: `light` or `dark`.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.send("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// The return value of a JavaScript function with this body, run in the page.
    pub(crate) fn js(&mut self, body: &str) -> Value {
        let expression = format!("(() => {{ {body} }})()");
        let answer = self.send(
            "Runtime.evaluate",
            &json!({"expression": expression, "returnByValue": true, "userGesture": true}),
        );
        assert!(answer.get("exceptionDetails").is_none(), "{body}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until a JavaScript function with this body returns a true value.
    pub(crate) fn until(&mut self, body: &str) {
        let started = Instant::now();
        while self.js(body) != Value::Bool(true) {
            assert!(
                started.elapsed() < PATIENCE,
                "never came true: {body}; noise: {:?}",
                self.noise
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types text into the focused element.
    pub(crate) fn insert(&mut self, text: &str) {
        self.send("Input.insertText", &json!({"text": text}));
    }

    /// Presses a key by its name. `code` is the key code, `text` the text that it types.
    pub(crate) fn press(&mut self, key: &str, code: u32, text: &str) {
        let mut event = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            event["text"] = text.into();
        }
        self.send("Input.dispatchKeyEvent", &event);
        event["type"] = "keyUp".into();
        self.send("Input.dispatchKeyEvent", &event);
    }

    /// Asserts that the page wrote nothing to the console, threw no exception, opened no dialog and fetched nothing.
    pub(crate) fn assert_quiet(&mut self) {
        // The answer comes after all earlier events.
        self.js("return 1");
        assert!(self.noise.is_empty(), "{:#?}", self.noise);
    }

    fn send(&mut self, method: &str, parameters: &Value) -> Value {
        let number = self.post(method, parameters);
        loop {
            let mut message = self.receive(method);
            if message["id"] == number {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    /// Sends a command and does not wait for its answer.
    fn post(&mut self, method: &str, parameters: &Value) -> u64 {
        self.last_number += 1;
        let mut message = json!({"id": self.last_number, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let written = write!(self.commands, "{message}\0").and_then(|()| self.commands.flush());
        written.unwrap_or_else(|error| panic!("{method}: the browser has gone: {error}"));
        self.last_number
    }

    fn receive(&mut self, what: &str) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        message.unwrap_or_else(|error| panic!("waiting for {what}: {error}; noise: {:?}", self.noise))
    }

    fn note(&mut self, message: &Value) {
        match message["method"].as_str().unwrap_or_default() {
            "Page.loadEventFired" => self.loaded = true,
            "Page.javascriptDialogOpening" => {
                self.noise.push(message.clone());
                // An open dialog would block the page.
                self.post("Page.handleJavaScriptDialog", &json!({"accept": true}));
            }
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => {
                self.noise.push(message.clone());
            }
            "Network.requestWillBeSent" => {
                let url = message["params"]["request"]["url"].as_str().unwrap_or_default();
                let is_page = message["params"]["type"] == "Document" && url.starts_with("file:");
                if !is_page && url != "about:blank" {
                    self.noise.push(message.clone());
                }
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let _ = write!(self.commands, "{{\"id\":0,\"method\":\"Browser.close\"}}\0");
        let _ = self.commands.flush();
        let started = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) {
            if started.elapsed() > Duration::from_secs(10) {
                let _ = self.process.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The path of the browser. Panics if there is none, because a skipped test must not seem to pass.
fn chromium() -> PathBuf {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return named.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    let found = places.into_iter().find(|it| it.is_file());
    found.expect(
        "no Chromium on the PATH: install it (Debian: `apt-get install chromium`) or name one in the variable CHROMIUM",
    )
}
