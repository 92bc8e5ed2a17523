//! Inputs that consist of several files.
//!
//! A line `//// shop/Cart.java` starts a file. The text before the first such line is a file too.

/// The prefix of a line that names the next file.
pub const MARK: &[u8] = b"//// ";

/// The files that an input describes, without duplicate paths. `first` is the path of the text before the first mark.
#[must_use]
pub fn files(input: &[u8], first: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = vec![(first.to_owned(), Vec::new())];
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        if let Some(name) = line.strip_prefix(MARK) {
            let name = String::from_utf8_lossy(name).trim().to_owned();
            if !name.is_empty() && files.iter().all(|(path, _)| *path != name) {
                files.push((name, Vec::new()));
                continue;
            }
        }
        if let Some((_, text)) = files.last_mut() {
            text.extend_from_slice(line);
        }
    }
    files
}

/// The two parts of an input around its first NUL byte; the second part is empty if there is none.
#[must_use]
pub fn halves(input: &[u8]) -> (&[u8], &[u8]) {
    match input.iter().position(|&byte| byte == 0) {
        Some(at) => (&input[..at], &input[at + 1..]),
        None => (input, &[]),
    }
}
