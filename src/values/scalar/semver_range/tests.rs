//! Ranges as the library reads, writes and combines them.

use super::*;

fn range(text: &str) -> SemVerRange {
    SemVerRange::parse(text).unwrap()
}

#[test]
fn a_range_keeps_its_text_and_has_a_canonical_one() {
    for (text, canonical) in [
        ("", "*"),
        ("1.x", ">=1.0.0 <2.0.0"),
        ("~1.2", ">=1.2.0 <1.3.0"),
        ("^0.2.3", ">=0.2.3 <0.3.0"),
        ("^1.2.3-a+b", ">=1.2.3-a+b <2.0.0"),
        (">=1 <2", ">=1.0.0 <2.0.0"),
        ("1.0.0 - 2.0.0", ">=1.0.0 <=2.0.0"),
        (">1", ">=2.0.0"),
        ("<=1.2", "<1.3.0"),
        (">x", "<0.0.0"),
        (">2 <1", "<0.0.0"),
        ("1.0.0 || 3 || >=2 <3", "1.0.0 || >=2.0.0 <4.0.0"),
        ("= v1.2.3", "= v1.2.3"),
    ] {
        match SemVerRange::parse(text) {
            Ok(range) => {
                assert_eq!(range.canonical(), canonical, "{text}");
                assert_eq!(range.to_string(), if text.is_empty() { "*" } else { text });
            }
            Err(error) => assert_eq!(error.to_string(), format!("Unparsable version range: \"{canonical}\"")),
        }
    }
}

#[test]
fn errors_are_those_of_the_library() {
    for (text, expected) in [
        ("bad", "Unparsable version range: \"bad\""),
        (" 1.0.0", "Unparsable version range: \" 1.0.0\""),
        ("1.0.0-01", "Numeric pre-release identifiers MUST NOT contain leading zeroes"),
        (">2 <1 >3", "undefined method `intersection' for nil:NilClass"),
        ("^x", "undefined method `SINGLETON' for SemanticPuppet::VersionRange::AllRange:Class"),
    ] {
        assert_eq!(SemVerRange::parse(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_prerelease_has_to_be_asked_for() {
    let version = |text| SemVer::parse(text).unwrap();
    assert!(range(">=1.0.0").includes(&version("1.5.0")));
    assert!(!range(">=1.0.0").includes(&version("1.5.0-a")));
    assert!(range(">=1.5.0-a").includes(&version("1.5.0-b")));
    assert!(!range(">=1.5.0-a").includes(&version("1.6.0-b")));
    assert!(range("*").includes(&version("1.6.0-b")));
}

#[test]
fn ends_are_written_the_wrong_way_round() {
    let [one, two] = ["1.0.0", "2.0.0"].map(|text| SemVer::parse(text).unwrap());
    let shown = |range: Result<SemVerRange, ScalarError>| range.unwrap().to_string();
    assert_eq!(shown(SemVerRange::between(Some(one.clone()), Some(two.clone()), true)), ">=2.0.0 <1.0.0");
    assert_eq!(shown(SemVerRange::between(Some(one), None, false)), "Infinity.0.0 - 1.0.0");
    assert_eq!(shown(SemVerRange::between(None, Some(two), false)), "2.0.0 - 0.0.0-");
}

#[test]
fn ranges_cover_and_merge() {
    assert_eq!(range("1.2.x").is_covered_by(&range("1.x")), Ok(true));
    assert_eq!(range("1.x").is_covered_by(&range("1.2.x")), Ok(false));
    assert!(range("1.0.0 || 3.0.0").is_covered_by(&range("1.x")).is_err());
    let merged = range("1.x").merge(&range(">=2.0.0")).unwrap().unwrap();
    assert_eq!(merged.canonical(), ">=1.0.0");
    assert_eq!(range("1.x").merge(&range("3.x")), Ok(None));
    assert_eq!(range(">=1.0.0 <2.0.0"), range("1.x"));
    assert_eq!(range("1 || 2").intersection(&range("2 || 3")).unwrap().to_string(), ">=2.0.0 <3.0.0");
}
