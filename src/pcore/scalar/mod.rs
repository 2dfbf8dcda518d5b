//! Placeholder.
macro_rules! text { ($($n:ident),*) => { $(#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)] pub struct $n(pub String);
impl std::fmt::Display for $n { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) } })* } }
text!(SemVer, SemVerRange, Uri);
macro_rules! time { ($($n:ident),*) => { $(#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)] pub struct $n { pub seconds: i64, pub nanos: u32 }
impl std::fmt::Display for $n { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}", self.seconds) } })* } }
time!(Timespan, Timestamp);
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binary(pub std::sync::Arc<[u8]>);
impl std::fmt::Display for Binary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
