//! The same search as a native program, to compare with: requests in, answers out.
//!
//! A blank line ends a request on standard input; its answer is a line, after a line for each
//! thought.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use thud_core::core::{Core, thought_json};
use thud_core::deepen::Thought;
use thud_core::search::Host;

struct Terminal {
    begun: Instant,
}

impl Host for Terminal {
    fn now(&mut self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }

    fn should_stop(&mut self) -> bool {
        false
    }

    fn report(&mut self, thought: &Thought) {
        println!("{}", thought_json(thought));
    }

    fn shuffled(&mut self, len: usize) -> Vec<u32> {
        (0..len as u32).collect()
    }
}

fn main() -> io::Result<()> {
    let (mut core, mut host) = (Core::default(), Terminal { begun: Instant::now() });
    let mut request = String::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if !line.is_empty() {
            request.push_str(&line);
            request.push('\n');
            continue;
        }
        println!("{}", core.answer(request.trim_end(), &mut host));
        io::stdout().flush()?;
        request.clear();
    }
    Ok(())
}
