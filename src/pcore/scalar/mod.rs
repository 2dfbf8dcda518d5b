//! Placeholder.
macro_rules! text { ($($n:ident),*) => { $(#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)] pub struct $n(pub String);
impl std::fmt::Display for $n { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) } })* } }
text!(SemVer, SemVerRange, Uri);
macro_rules! time { ($($n:ident),*) => { $(#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)] pub struct $n { pub seconds: i64, pub nanos: u32 }
impl std::fmt::Display for $n { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}", self.seconds) } })* } }
time!(Timespan, Timestamp);
impl Timespan {
    pub fn whole_seconds(self) -> i64 {
        self.seconds
    }
    pub fn to_seconds(self) -> f64 {
        self.seconds as f64
    }
}
impl Timestamp {
    pub fn whole_seconds(self) -> i64 {
        self.seconds
    }
    pub fn to_seconds(self) -> f64 {
        self.seconds as f64
    }
}
impl SemVer {
    pub fn parse(t: &str) -> Result<SemVer, String> {
        Ok(SemVer(t.into()))
    }
}
impl SemVerRange {
    pub fn parse(t: &str) -> Result<SemVerRange, String> {
        Ok(SemVerRange(t.into()))
    }
    pub fn includes(&self, v: &SemVer) -> bool {
        v.0.starts_with("1.")
    }
    pub fn intersection(&self, _: &SemVerRange) -> Result<SemVerRange, String> {
        Ok(self.clone())
    }
}
impl Binary {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binary(pub std::sync::Arc<[u8]>);
impl std::fmt::Display for Binary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
