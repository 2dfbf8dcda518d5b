//! Bounds of numbers and sizes.

/// Both ends included; the extremes of 64 bits stand for no bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegerRange {
    pub from: i64,
    pub to: i64,
}

impl IntegerRange {
    pub const ALL: IntegerRange = IntegerRange { from: i64::MIN, to: i64::MAX };

    pub fn exactly(value: i64) -> IntegerRange {
        IntegerRange { from: value, to: value }
    }

    /// That of an integer which is below or above all that a range can name.
    pub fn beyond(is_below: bool) -> IntegerRange {
        IntegerRange::exactly(if is_below { i64::MIN } else { i64::MAX })
    }

    pub fn contains(self, value: i64) -> bool {
        self.from <= value && value <= self.to
    }

    /// Returns true if it has no end where such an integer stands.
    pub fn contains_beyond(self, is_below: bool) -> bool {
        self.covers(IntegerRange::beyond(is_below))
    }

    pub fn covers(self, other: IntegerRange) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

/// Both ends included; the infinities stand for no bound. What is no number is within no range, not even its own.
#[derive(Clone, Copy, Debug)]
pub struct FloatRange {
    pub from: f64,
    pub to: f64,
}

impl FloatRange {
    pub const ALL: FloatRange = FloatRange { from: f64::NEG_INFINITY, to: f64::INFINITY };

    pub fn exactly(value: f64) -> FloatRange {
        FloatRange { from: value, to: value }
    }

    pub fn contains(self, value: f64) -> bool {
        self.from <= value && value <= self.to
    }

    pub fn covers(self, other: FloatRange) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

impl PartialEq for FloatRange {
    fn eq(&self, other: &FloatRange) -> bool {
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        same(self.from, other.from) && same(self.to, other.to)
    }
}

impl Eq for FloatRange {}

impl std::hash::Hash for FloatRange {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        for bound in [self.from, self.to] {
            // Zero has two signs and one hash, and what is no number has many forms.
            let bits = if bound.is_nan() { f64::NAN } else { bound + 0.0 }.to_bits();
            bits.hash(state);
        }
    }
}

/// How many, both ends included.
///
/// A size that nobody stated and one stated as "zero or more" admit the same and yet are two: they print differently
/// and are not equal, as in Puppet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    pub min: u64,
    /// From [`Size::UNBOUNDED`] on: no bound.
    pub max: u64,
}

impl Size {
    /// The lowest maximum that stands for no bound: `String[2, default]`.
    pub const UNBOUNDED: u64 = u64::MAX - 1;
    /// Nobody stated a size.
    pub const ANY: Size = Size { min: 0, max: u64::MAX };
    pub const NONE: Size = Size { min: 0, max: 0 };
    pub const NOT_EMPTY: Size = Size { min: 1, max: Size::UNBOUNDED };

    pub fn exactly(count: usize) -> Size {
        Size { min: count as u64, max: count as u64 }
    }

    /// The size that a range of integers states; what is below zero becomes zero.
    pub fn from_range(range: IntegerRange) -> Size {
        let max = if range.to == i64::MAX { Size::UNBOUNDED } else { range.to.max(0) as u64 };
        Size { min: range.from.max(0) as u64, max }
    }

    /// The same as a range of integers.
    pub fn to_range(self) -> IntegerRange {
        let to = if self.is_unbounded() { i64::MAX } else { i64::try_from(self.max).unwrap_or(i64::MAX) };
        IntegerRange { from: i64::try_from(self.min).unwrap_or(i64::MAX), to }
    }

    pub fn is_stated(self) -> bool {
        self != Size::ANY
    }

    /// Returns true if there is no upper bound.
    pub fn is_unbounded(self) -> bool {
        self.max >= Size::UNBOUNDED
    }

    /// Returns true if a text has so many characters. One has four bytes at most, which mostly is enough to know.
    pub fn contains_text(self, text: &str) -> bool {
        let bytes = text.len();
        let is_sure = self.min <= bytes.div_ceil(4) as u64 && bytes as u64 <= self.max;
        is_sure || self.contains(text.chars().count())
    }

    pub fn contains(self, count: usize) -> bool {
        self.min <= count as u64 && count as u64 <= self.max
    }

    pub fn covers(self, other: Size) -> bool {
        self.min <= other.min && (other.max <= self.max || self.is_unbounded())
    }
}
