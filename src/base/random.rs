//! The generator of pseudo-random numbers that Ruby's `Random` is: MT19937, seeded with an integer of any size.
//!
//! Knows nothing of where a seed comes from. The same seed gives the same numbers on every machine,
//! and the same as Ruby's.

const SIZE: usize = 624;
const PERIOD: usize = 397;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MersenneTwister {
    state: [u32; SIZE],
    next: usize,
}

impl MersenneTwister {
    /// Seeded with the integer whose big-endian bytes these are: a digest read as a number, `hexdigest.hex`.
    pub fn from_bytes(bytes: &[u8]) -> MersenneTwister {
        let mut words: Vec<u32> =
            bytes.rchunks(4).map(|chunk| chunk.iter().fold(0, |word, &byte| (word << 8) | u32::from(byte))).collect();
        while words.len() > 1 && words.last() == Some(&0) {
            words.pop();
        }
        // Ruby takes a highest word of one for its guard of leading zeros, and drops it.
        if words.len() > 1 && words.last() == Some(&1) {
            words.pop();
        }
        match words[..] {
            [] => MersenneTwister::from_word(0),
            [word] => MersenneTwister::from_word(word),
            _ => MersenneTwister::from_words(&words),
        }
    }

    pub fn from_integer(seed: u64) -> MersenneTwister {
        MersenneTwister::from_bytes(&seed.to_be_bytes())
    }

    const fn from_word(seed: u32) -> MersenneTwister {
        let mut state = [seed; SIZE];
        let mut place = 1;
        while place < SIZE {
            let previous = state[place - 1];
            state[place] = 1_812_433_253_u32.wrapping_mul(previous ^ (previous >> 30)).wrapping_add(place as u32);
            place += 1;
        }
        MersenneTwister { state, next: 0 }
    }

    fn from_words(seed: &[u32]) -> MersenneTwister {
        static FIRST: MersenneTwister = MersenneTwister::from_word(19_650_218);
        let mut generator = FIRST.clone();
        let state = &mut generator.state;
        let mut before = state[0];
        let mut mix = |word: &mut u32, factor: u32, addend: u32| {
            before = (*word ^ (before ^ (before >> 30)).wrapping_mul(factor)).wrapping_add(addend);
            *word = before;
        };
        // All but the first, again and again.
        let mut at = 0;
        let mut next = move || {
            at = at % (SIZE - 1) + 1;
            at
        };
        let of_seed = (0..).zip(seed).cycle().map(|(place, word)| word.wrapping_add(place));
        for addend in of_seed.take(SIZE.max(seed.len())) {
            mix(&mut state[next()], 1_664_525, addend);
        }
        for _ in 1..SIZE {
            let at = next();
            mix(&mut state[at], 1_566_083_941, (at as u32).wrapping_neg());
        }
        state[0] = 0x8000_0000;
        generator
    }

    /// Each word of the state is made anew when its turn comes: few are ever drawn.
    pub fn next_word(&mut self) -> u32 {
        let place = self.next;
        self.next = (place + 1) % SIZE;
        let joined = (self.state[place] & 0x8000_0000) | (self.state[self.next] & 0x7fff_ffff);
        let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
        let mut word = self.state[(place + PERIOD) % SIZE] ^ (joined >> 1) ^ twist;
        self.state[place] = word;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// Returns a number from zero up to, but without, `limit`; `None` if there is no such number.
    pub fn below(&mut self, limit: u64) -> Option<u64> {
        let highest = limit.checked_sub(1)?;
        let mask = u64::MAX.checked_shr(highest.leading_zeros()).unwrap_or(0);
        loop {
            if let Some(value) = self.draw(highest, mask) {
                return Some(value);
            }
        }
    }

    /// One try: the high word first, given up as soon as the number is too large.
    fn draw(&mut self, highest: u64, mask: u64) -> Option<u64> {
        let mut value = 0;
        for shift in [32, 0] {
            if (mask >> shift) & 0xffff_ffff != 0 {
                value = (value | (u64::from(self.next_word()) << shift)) & mask;
                if value > highest {
                    return None;
                }
            }
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_ruby() {
        let mut small = MersenneTwister::from_integer(42);
        let drawn: Vec<_> = (0..6).map(|_| small.below(100)).collect();
        assert_eq!(drawn, [51, 92, 14, 71, 60, 20].map(Some));
        let mut large = MersenneTwister::from_integer(1 << 40);
        assert_eq!(large.below(1 << 50), Some(32_441_405_068_048));
        assert_eq!(large.below(10_000_000_000), Some(1_832_466_665));
        // A highest word of one is no part of the seed.
        assert_eq!(
            MersenneTwister::from_integer((1 << 32) + 7).below(1000),
            MersenneTwister::from_integer(7).below(1000)
        );
        assert_eq!(small.below(0), None);
        assert_eq!(small.below(1), Some(0));
    }
}
