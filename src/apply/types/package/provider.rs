//! Who carries packages out on this machine: apt or dpkg, which read the states of all packages at once.

use pantin_machine::{Reading, SystemQuery};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::native_provider::{ForeignProvider, NativeProvider};
use super::super::provider_command::{find_program, query_or_fail};
use super::installed::{self, PackageState};
use super::job::PackageJob;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::provider::{Delta, Provider, ProviderEntry, Row, SetMode, WantedResource};

static APT: ProviderEntry = ProviderEntry {
    type_name: "package",
    name: "apt",
    set_mode: SetMode::EachProperty,
    make: || Box::new(Packages { provider: PackageProvider::Apt, listed: None }),
};

static DPKG: ProviderEntry = ProviderEntry {
    type_name: "package",
    name: "dpkg",
    set_mode: SetMode::EachProperty,
    make: || Box::new(Packages { provider: PackageProvider::Dpkg, listed: None }),
};

/// A provider that is carried out here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PackageProvider {
    Apt,
    Dpkg,
}

/// Puppet's other providers.
const FOREIGN: &[ForeignProvider] = &[
    ("aix", None),
    ("appdmg", None),
    ("apple", None),
    ("aptitude", Some("/usr/bin/aptitude")),
    ("aptrpm", Some("apt-rpm")),
    ("blastwave", None),
    ("dnf", Some("dnf")),
    ("dnfmodule", Some("/usr/bin/dnf")),
    ("fink", None),
    ("freebsd", None),
    ("gem", Some("gem")),
    ("hpux", None),
    ("macports", None),
    ("nim", None),
    ("openbsd", None),
    ("opkg", Some("opkg")),
    ("pacman", Some("/usr/bin/pacman")),
    ("pip", Some("pip")),
    ("pip2", Some("pip2")),
    ("pip3", Some("pip3")),
    ("pkg", None),
    ("pkgdmg", None),
    ("pkgin", Some("pkgin")),
    ("pkgng", None),
    ("pkgutil", None),
    ("portage", Some("/usr/bin/emerge")),
    ("ports", None),
    ("portupgrade", None),
    ("puppet_gem", Some("/opt/puppetlabs/puppet/bin/gem")),
    ("puppetserver_gem", Some("/opt/puppetlabs/bin/puppetserver")),
    ("rpm", Some("rpm")),
    ("rug", Some("/usr/bin/rug")),
    ("sun", None),
    ("sunfreeware", None),
    ("tdnf", Some("tdnf")),
    ("up2date", Some("/usr/sbin/up2date-nox")),
    ("urpmi", Some("urpmi")),
    ("windows", None),
    ("xbps", Some("/usr/bin/xbps-install")),
    ("yum", Some("yum")),
    ("zypper", Some("/usr/bin/zypper")),
];

impl PackageProvider {
    pub(super) fn entry(self) -> &'static ProviderEntry {
        match self {
            PackageProvider::Apt => &APT,
            PackageProvider::Dpkg => &DPKG,
        }
    }
}

impl NativeProvider for PackageProvider {
    const TYPE: &'static str = "package";
    const ALL: &'static [PackageProvider] = &[PackageProvider::Apt, PackageProvider::Dpkg];
    const FOREIGN: &'static [ForeignProvider] = FOREIGN;

    fn name(self) -> &'static str {
        match self {
            PackageProvider::Apt => "apt",
            PackageProvider::Dpkg => "dpkg",
        }
    }

    fn works_on(self, machine: &dyn Reading) -> bool {
        let of_dpkg = ["/usr/bin/dpkg", "/usr/bin/dpkg-deb", "/usr/bin/dpkg-query"];
        let of_apt = ["/usr/bin/apt-get", "/usr/bin/apt-cache", "/usr/bin/apt-mark", "/usr/bin/debconf-set-selections"];
        let needed = of_dpkg.into_iter().chain(of_apt.into_iter().filter(|_| self == PackageProvider::Apt));
        needed.map(|program| find_program(program, machine)).all(|found| found.is_some())
    }
}

/// The packages of a machine.
struct Packages {
    provider: PackageProvider,
    /// The names that dpkg knew when it was asked for all packages first.
    listed: Option<FxHashSet<String>>,
}

impl Provider for Packages {
    fn get(&mut self, context: &ApplyContext<'_>, wanted: Option<&[WantedResource<'_>]>) -> Result<Vec<Row>, Failure> {
        let Some(wanted) = wanted else {
            return Ok(self.list(context)?.iter().map(|state| row(&state.name, state)).collect());
        };
        let mut look = Look::default();
        if self.listed.is_none() {
            // Of one for several architectures the last one counts.
            look.known.extend(self.list(context)?.into_iter().map(|state| (state.name.clone(), state)));
            // Each question is told where all is told.
            look.is_whole = !context.says(Level::Debug);
        }
        let mut rows = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            rows.push(match look.known.get(wanted.name) {
                Some(state) => row(wanted.name, state),
                None => row(wanted.name, &self.find(wanted, &mut look, context)?),
            });
        }
        Ok(rows)
    }

    fn set(&mut self, context: &ApplyContext<'_>, changes: &[Delta<'_>]) -> Result<(), Failure> {
        for change in changes {
            let job = PackageJob::from_delta(self.provider, change, context)?;
            // What installs a package sets its mark too.
            let property = change.should("ensure").or(change.should.first());
            property.map_or(Ok(()), |property| job.carry_out(property, context))?;
        }
        Ok(())
    }
}

/// What one look at the packages has found.
#[derive(Default)]
struct Look {
    known: FxHashMap<String, PackageState>,
    /// Nothing is there but what is known: whoever is not need not be asked for.
    is_whole: bool,
    /// What the packages provide, once somebody has asked.
    provided: Option<String>,
}

impl Look {
    fn provider_of(&mut self, name: &str, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        if !self.is_whole {
            return Ok(installed::provider_of(name, &installed::provided(context)?));
        }
        let listed = match self.provided.take() {
            Some(listed) => listed,
            None => installed::provided(context)?,
        };
        Ok(installed::provider_of(name, self.provided.insert(listed)))
    }
}

impl Packages {
    /// Reads the states of all packages.
    fn list(&mut self, context: &ApplyContext<'_>) -> Result<Vec<PackageState>, Failure> {
        let states = installed::all(context)?;
        self.listed.get_or_insert_with(|| states.iter().map(|state| state.name.clone()).collect());
        Ok(states)
    }

    /// Reads the state of one package, or of one that provides it.
    fn find(
        &self,
        wanted: &WantedResource<'_>,
        look: &mut Look,
        context: &ApplyContext<'_>,
    ) -> Result<PackageState, Failure> {
        let mut name = wanted.name.to_owned();
        let was_listed = self.listed.as_ref().is_some_and(|listed| listed.contains(&name));
        if wanted.values.is_true("allow_virtual")
            && !was_listed
            && let Some(provider) = look.provider_of(&name, context)?
        {
            context.say_bare(Level::Info, format!("Package {name} is virtual, defaulting to {provider}"));
            name = provider;
        }
        if look.is_whole && installed::is_plain(&name) && !look.known.contains_key(&name) {
            return Ok(PackageState::missing(&name, "purged"));
        }
        let mut state = installed::one(&name, context)?;
        // Of those that were not there at first it is told who asked for them.
        if self.provider == PackageProvider::Apt && state.is_installed() && !was_listed {
            let manual = query_or_fail(&SystemQuery::ManualPackages(Some(name.clone())), context)?.lossy();
            if manual.trim() == name {
                state.mark = Some("manual");
            }
        }
        Ok(state)
    }
}

fn row(name: &str, state: &PackageState) -> Row {
    Row { name: name.to_owned(), state: state.observation() }
}
