//! The classes that Ruby begins with. Those that code defines come after them.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Class(pub(super) u32);

macro_rules! core_classes {
    ($($id:ident $path:literal $(< $parent:ident)? $(+ $mixin:ident)*;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
        #[allow(dead_code, reason = "code names some of them by their paths alone")]
        pub(super) enum Core { $($id),* }

        pub(super) static CORE: &[CoreClass] = &[$(CoreClass {
            path: $path,
            parent: core_classes!(@parent $($parent)?),
            mixins: &[$(Core::$mixin.class()),*],
        }),*];
    };
    (@parent) => { None };
    (@parent $parent:ident) => { Some(Core::$parent.class()) };
}

pub(super) struct CoreClass {
    pub(super) path: &'static str,
    /// None: a module, or the root.
    pub(super) parent: Option<Class>,
    pub(super) mixins: &'static [Class],
}

core_classes! {
    BasicObject "BasicObject";
    Kernel "Kernel";
    Comparable "Comparable";
    Enumerable "Enumerable";
    Object "Object" < BasicObject + Kernel;
    Module "Module" < Object;
    ClassClass "Class" < Module;
    NilClass "NilClass" < Object;
    TrueClass "TrueClass" < Object;
    FalseClass "FalseClass" < Object;
    Numeric "Numeric" < Object + Comparable;
    Integer "Integer" < Numeric;
    Float "Float" < Numeric;
    Rational "Rational" < Numeric;
    Symbol "Symbol" < Object + Comparable;
    String "String" < Object + Comparable;
    Array "Array" < Object + Enumerable;
    Hash "Hash" < Object + Enumerable;
    Range "Range" < Object + Enumerable;
    Regexp "Regexp" < Object;
    MatchData "MatchData" < Object;
    Proc "Proc" < Object;
    Method "Method" < Object;
    Enumerator "Enumerator" < Object + Enumerable;
    EnumeratorLazy "Enumerator::Lazy" < Enumerator;
    EnumeratorGenerator "Enumerator::Generator" < Object + Enumerable;
    EnumeratorProducer "Enumerator::Producer" < Object + Enumerable;
    EnumeratorYielder "Enumerator::Yielder" < Object;
    Struct "Struct" < Object + Enumerable;
    Set "Set" < Object + Enumerable;
    Time "Time" < Object + Comparable;
    Date "Date" < Object + Comparable;
    DateTime "DateTime" < Date;
    Math "Math";
    Io "IO" < Object + Enumerable;
    File "File" < Io;
    Dir "Dir" < Object + Enumerable;
    StringIo "StringIO" < Object + Enumerable;
    SecureRandom "SecureRandom";
    Random "Random" < Object;
    Open3 "Open3";
    ProcessStatus "Process::Status" < Object;
    Exception "Exception" < Object;
    ScriptError "ScriptError" < Exception;
    NotImplementedError "NotImplementedError" < ScriptError;
    LoadError "LoadError" < ScriptError;
    SyntaxError "SyntaxError" < ScriptError;
    SecurityError "SecurityError" < Exception;
    SystemExit "SystemExit" < Exception;
    StandardError "StandardError" < Exception;
    ArgumentError "ArgumentError" < StandardError;
    UncaughtThrowError "UncaughtThrowError" < ArgumentError;
    EncodingError "EncodingError" < StandardError;
    Encoding "Encoding" < Object;
    EncodingCompatibilityError "Encoding::CompatibilityError" < EncodingError;
    EncodingUndefinedConversionError "Encoding::UndefinedConversionError" < EncodingError;
    EncodingInvalidByteSequenceError "Encoding::InvalidByteSequenceError" < EncodingError;
    EncodingConverterNotFoundError "Encoding::ConverterNotFoundError" < EncodingError;
    IoError "IOError" < StandardError;
    EofError "EOFError" < IoError;
    SystemCallError "SystemCallError" < StandardError;
    Errno "Errno";
    ErrnoEnoent "Errno::ENOENT" < SystemCallError;
    ErrnoEinval "Errno::EINVAL" < SystemCallError;
    ErrnoEisdir "Errno::EISDIR" < SystemCallError;
    IndexError "IndexError" < StandardError;
    KeyError "KeyError" < IndexError;
    StopIteration "StopIteration" < IndexError;
    LocalJumpError "LocalJumpError" < StandardError;
    NameError "NameError" < StandardError;
    NoMethodError "NoMethodError" < NameError;
    NoMatchingPatternError "NoMatchingPatternError" < StandardError;
    NoMatchingPatternKeyError "NoMatchingPatternKeyError" < NoMatchingPatternError;
    RangeError "RangeError" < StandardError;
    FloatDomainError "FloatDomainError" < RangeError;
    RegexpError "RegexpError" < StandardError;
    RuntimeError "RuntimeError" < StandardError;
    FrozenError "FrozenError" < RuntimeError;
    TypeError "TypeError" < StandardError;
    DateError "Date::Error" < ArgumentError;
    MathDomainError "Math::DomainError" < ArgumentError;
    ZeroDivisionError "ZeroDivisionError" < StandardError;
    Binding "Binding" < Object;
    Erb "ERB" < Object;
    ErbUtil "ERB::Util";
    Digest "Digest";
    DigestBase "Digest::Base" < Object;
    DigestMd5 "Digest::MD5" < DigestBase;
    DigestSha1 "Digest::SHA1" < DigestBase;
    DigestSha256 "Digest::SHA256" < DigestBase;
    DigestSha384 "Digest::SHA384" < DigestBase;
    DigestSha512 "Digest::SHA512" < DigestBase;
    OpenSsl "OpenSSL";
    OpenSslDigest "OpenSSL::Digest" < Object;
    OpenSslDigestMd5 "OpenSSL::Digest::MD5" < OpenSslDigest;
    OpenSslDigestSha1 "OpenSSL::Digest::SHA1" < OpenSslDigest;
    OpenSslDigestSha256 "OpenSSL::Digest::SHA256" < OpenSslDigest;
    OpenSslDigestSha384 "OpenSSL::Digest::SHA384" < OpenSslDigest;
    OpenSslDigestSha512 "OpenSSL::Digest::SHA512" < OpenSslDigest;
    OpenSslHmac "OpenSSL::HMAC" < Object;
    OpenSslKdf "OpenSSL::KDF";
    OpenSslPkcs5 "OpenSSL::PKCS5";
    Base64 "Base64";
    Zlib "Zlib";
    Json "JSON";
    JsonError "JSON::JSONError" < StandardError;
    JsonParserError "JSON::ParserError" < JsonError;
    JsonNestingError "JSON::NestingError" < JsonParserError;
    JsonGeneratorError "JSON::GeneratorError" < JsonError;
    Psych "Psych";
    PsychException "Psych::Exception" < RuntimeError;
    PsychSyntaxError "Psych::SyntaxError" < PsychException;
    PsychBadAlias "Psych::BadAlias" < PsychException;
    PsychDisallowedClass "Psych::DisallowedClass" < PsychException;
    Shellwords "Shellwords";
    Cgi "CGI" < Object;
    OpenStruct "OpenStruct" < Object;
    Singleton "Singleton";
    Forwardable "Forwardable";
    SingleForwardable "SingleForwardable";
    Timeout "Timeout";
    TimeoutError "Timeout::Error" < RuntimeError;
    Pathname "Pathname" < Object;
    IpAddr "IPAddr" < Object + Comparable;
    IpAddrError "IPAddr::Error" < ArgumentError;
    IpAddrInvalidAddress "IPAddr::InvalidAddressError" < IpAddrError;
    IpAddrFamily "IPAddr::AddressFamilyError" < IpAddrError;
    IpAddrPrefix "IPAddr::InvalidPrefixError" < IpAddrInvalidAddress;
    SocketError "SocketError" < StandardError;
    BasicSocket "BasicSocket" < Io;
    IpSocket "IPSocket" < BasicSocket;
    Socket "Socket" < BasicSocket;
    Addrinfo "Addrinfo" < Object;
    Resolv "Resolv" < Object;
    ResolvError "Resolv::ResolvError" < StandardError;
    ResolvTimeout "Resolv::ResolvTimeout" < TimeoutError;
    ResolvHosts "Resolv::Hosts" < Object;
    ResolvIpv4 "Resolv::IPv4" < Object;
    ResolvIpv6 "Resolv::IPv6" < Object;
    ResolvDns "Resolv::DNS" < Object;
    ResolvDnsName "Resolv::DNS::Name" < Object;
    ResolvQuery "Resolv::DNS::Query" < Object;
    ResolvResource "Resolv::DNS::Resource" < ResolvQuery;
    ResolvDomainName "Resolv::DNS::Resource::DomainName" < ResolvResource;
    ResolvNs "Resolv::DNS::Resource::NS" < ResolvDomainName;
    ResolvCname "Resolv::DNS::Resource::CNAME" < ResolvDomainName;
    ResolvPtr "Resolv::DNS::Resource::PTR" < ResolvDomainName;
    ResolvSoa "Resolv::DNS::Resource::SOA" < ResolvResource;
    ResolvHinfo "Resolv::DNS::Resource::HINFO" < ResolvResource;
    ResolvMinfo "Resolv::DNS::Resource::MINFO" < ResolvResource;
    ResolvMx "Resolv::DNS::Resource::MX" < ResolvResource;
    ResolvTxt "Resolv::DNS::Resource::TXT" < ResolvResource;
    ResolvLoc "Resolv::DNS::Resource::LOC" < ResolvResource;
    ResolvAny "Resolv::DNS::Resource::ANY" < ResolvQuery;
    ResolvIn "Resolv::DNS::Resource::IN";
    ResolvInNs "Resolv::DNS::Resource::IN::NS" < ResolvNs;
    ResolvInCname "Resolv::DNS::Resource::IN::CNAME" < ResolvCname;
    ResolvInPtr "Resolv::DNS::Resource::IN::PTR" < ResolvPtr;
    ResolvInSoa "Resolv::DNS::Resource::IN::SOA" < ResolvSoa;
    ResolvInHinfo "Resolv::DNS::Resource::IN::HINFO" < ResolvHinfo;
    ResolvInMinfo "Resolv::DNS::Resource::IN::MINFO" < ResolvMinfo;
    ResolvInMx "Resolv::DNS::Resource::IN::MX" < ResolvMx;
    ResolvInTxt "Resolv::DNS::Resource::IN::TXT" < ResolvTxt;
    ResolvInLoc "Resolv::DNS::Resource::IN::LOC" < ResolvLoc;
    ResolvInAny "Resolv::DNS::Resource::IN::ANY" < ResolvAny;
    ResolvInA "Resolv::DNS::Resource::IN::A" < ResolvResource;
    ResolvInWks "Resolv::DNS::Resource::IN::WKS" < ResolvResource;
    ResolvInAaaa "Resolv::DNS::Resource::IN::AAAA" < ResolvResource;
    ResolvInSrv "Resolv::DNS::Resource::IN::SRV" < ResolvResource;
    Uri "URI";
    UriParser "URI::RFC2396_Parser" < Object;
    UriGeneric "URI::Generic" < Object;
    UriHttp "URI::HTTP" < UriGeneric;
    UriHttps "URI::HTTPS" < UriHttp;
    UriError "URI::Error" < StandardError;
    UriInvalid "URI::InvalidURIError" < UriError;
    UriBad "URI::BadURIError" < UriError;
    UriInvalidComponent "URI::InvalidComponentError" < UriError;
    Racc "Racc";
    RaccParser "Racc::Parser" < Object;
    RaccParseError "Racc::ParseError" < StandardError;
    Rexml "REXML";
    RexmlNode "REXML::Node";
    RexmlXmlTokens "REXML::XMLTokens";
    RexmlNamespace "REXML::Namespace" + RexmlXmlTokens;
    RexmlChild "REXML::Child" < Object + RexmlNode;
    RexmlParent "REXML::Parent" < RexmlChild + Enumerable;
    RexmlElement "REXML::Element" < RexmlParent + RexmlNamespace;
    RexmlDocument "REXML::Document" < RexmlElement;
    RexmlDocType "REXML::DocType" < RexmlParent;
    RexmlText "REXML::Text" < RexmlChild + Comparable;
    RexmlCData "REXML::CData" < RexmlText;
    RexmlComment "REXML::Comment" < RexmlChild + Comparable;
    RexmlInstruction "REXML::Instruction" < RexmlChild;
    RexmlXmlDecl "REXML::XMLDecl" < RexmlChild;
    RexmlAttribute "REXML::Attribute" < Object + RexmlNode + RexmlNamespace;
    RexmlElements "REXML::Elements" < Object + Enumerable;
    RexmlAttributes "REXML::Attributes" < Object + Enumerable;
    RexmlXPath "REXML::XPath" < Object;
    RexmlFormatters "REXML::Formatters";
    RexmlDefault "REXML::Formatters::Default" < Object;
    RexmlPretty "REXML::Formatters::Pretty" < RexmlDefault;
    RexmlParseException "REXML::ParseException" < RuntimeError;
    RexmlUndefinedNamespace "REXML::UndefinedNamespaceException" < RexmlParseException;
    Gem "Gem";
    GemVersion "Gem::Version" < Object + Comparable;
    Facter "Facter";
    FacterCoreModule "Facter::Core";
    FacterExecution "Facter::Core::Execution";
    FacterExecutionFailure "Facter::Core::Execution::ExecutionFailure" < StandardError;
    FacterFact "Facter::ResolvedFact" < Object;
    Puppet "Puppet";
    PuppetDataTypes "Puppet::DataTypes";
    PuppetTypeBuilder "Puppet::DataTypes::TypeBuilderAPI" < Object;
    PuppetFunctions "Puppet::Functions";
    PuppetFunction "Puppet::Functions::Function" < Object;
    PuppetInternalFunction "Puppet::Functions::InternalFunction" < PuppetFunction;
    PuppetDispatcher "Puppet::Pops::Functions::Dispatcher" < Object;
    PuppetDispatch "Puppet::Functions::DispatcherBuilder" < Object;
    PuppetLocalTypes "Puppet::Functions::TypeAliasesBuilder" < Object;
    PuppetParser "Puppet::Parser";
    PuppetParserFunctions "Puppet::Parser::Functions";
    PuppetScope "Puppet::Parser::Scope" < Object;
    PuppetResourceParam "Puppet::Parser::Resource::Param" < Object;
    PuppetResourceParameters "Puppet::Parser::Resource#parameters" < Object;
    PuppetTemplateWrapper "Puppet::Parser::TemplateWrapper" < Object;
    PuppetError "Puppet::Error" < RuntimeError;
    PuppetParseError "Puppet::ParseError" < PuppetError;
    PuppetIssueError "Puppet::ParseErrorWithIssue" < PuppetParseError;
    PuppetPreformattedError "Puppet::PreformattedError" < PuppetIssueError;
    PuppetDataBinding "Puppet::DataBinding" < Object;
    PuppetLookupError "Puppet::DataBinding::LookupError" < PuppetPreformattedError;
    PuppetRecursiveLookupError "Puppet::DataBinding::RecursiveLookupError" < PuppetLookupError;
    PuppetDevError "Puppet::DevError" < PuppetError;
    PuppetUtil "Puppet::Util";
    PuppetTagSet "Puppet::Util::TagSet" < Set;
    PuppetParserFiles "Puppet::Parser::Files";
    PuppetFileSystem "Puppet::FileSystem";
    PuppetCompiler "Puppet::Parser::Compiler" < Object;
    PuppetNode "Puppet::Node" < Object;
    PuppetEnvironment "Puppet::Node::Environment" < Object;
    PuppetModule "Puppet::Module" < Object;
    PuppetScopeVariables "Puppet::Parser::Scope::Variables" < Object;
    PuppetExecution "Puppet::Util::Execution";
    PuppetExecutionFailure "Puppet::ExecutionFailure" < PuppetError;
    PuppetUtilPackage "Puppet::Util::Package";
    PuppetUtilChecksums "Puppet::Util::Checksums";
    PuppetUtilDiff "Puppet::Util::Diff";
    PuppetUtilErrors "Puppet::Util::Errors";
    PuppetUtilSelinux "Puppet::Util::SELinux";
    PuppetUtilSymbolicFileMode "Puppet::Util::SymbolicFileMode";
    PuppetUtilWarnings "Puppet::Util::Warnings";
    PuppetPops "Puppet::Pops";
    PuppetPopsTypes "Puppet::Pops::Types";
    PuppetSensitive "Puppet::Pops::Types::PSensitiveType" < Object;
    PuppetSensitiveValue "Puppet::Pops::Types::PSensitiveType::Sensitive" < Object;
    SemanticPuppet "SemanticPuppet";
    PuppetVersion "SemanticPuppet::Version" < Object + Comparable;
    PuppetVersionFailure "SemanticPuppet::Version::ValidationFailure" < ArgumentError;
    PuppetVersionRange "SemanticPuppet::VersionRange" < Object;
    PuppetTimeData "Puppet::Pops::Time::TimeData" < Object + Comparable;
    PuppetTimestamp "Puppet::Pops::Time::Timestamp" < PuppetTimeData;
    PuppetTimespan "Puppet::Pops::Time::Timespan" < PuppetTimeData;
    PuppetLookup "Puppet::Pops::Lookup";
    PuppetHieraConfig "Puppet::Pops::Lookup::HieraConfig" < Object;
    PuppetLookupContext "Puppet::Pops::Lookup::Context" < Object;
    PuppetResource "Puppet::Resource" < Object;
    PuppetParserResource "Puppet::Parser::Resource" < PuppetResource;
    PuppetCatalog "Puppet::Resource::Catalog" < Object;
    PuppetLoader "Puppet::Pops::Loader::Loader" < Object;
    PuppetIterable "Puppet::Pops::Types::Iterable";
    PuppetAnyType "Puppet::Pops::Types::PAnyType" < Object;
    PuppetResourceType "Puppet::Pops::Types::PResourceType" < PuppetAnyType;
    PuppetBinaryType "Puppet::Pops::Types::PBinaryType" < PuppetAnyType;
    PuppetBinary "Puppet::Pops::Types::PBinaryType::Binary" < Object;
    PuppetValue "Puppet::Pops::Value" < Object;
    PuppetX "PuppetX";
    PuppetResourceError "Puppet::ResourceError" < PuppetError;
    PuppetParameter "Puppet::Parameter" < Object;
    PuppetParameterBoolean "Puppet::Parameter::Boolean" < PuppetParameter;
    PuppetParameterPath "Puppet::Parameter::Path" < PuppetParameter;
    PuppetParameterPackageOptions "Puppet::Parameter::PackageOptions" < PuppetParameter;
    PuppetProperty "Puppet::Property" < PuppetParameter;
    PuppetPropertyBoolean "Puppet::Property::Boolean" < PuppetProperty;
    PuppetPropertyList "Puppet::Property::List" < PuppetProperty;
    PuppetPropertyOrderedList "Puppet::Property::OrderedList" < PuppetPropertyList;
    PuppetPropertyKeyValue "Puppet::Property::KeyValue" < PuppetProperty;
    PuppetEnsure "Puppet::Property::Ensure" < PuppetProperty;
    PuppetType "Puppet::Type" < Object;
    PuppetTypeFile "Puppet::Type::File" < PuppetType;
    PuppetTypeFileOwner "Puppet::Type::File::Owner" < PuppetProperty;
    PuppetTypeFileGroup "Puppet::Type::File::Group" < PuppetProperty;
    PuppetTypeFileMode "Puppet::Type::File::Mode" < PuppetProperty;
    PuppetTypeFileSource "Puppet::Type::File::ParameterSource" < PuppetParameter;
    PuppetProvider "Puppet::Provider" < Object;
    PuppetProviderParsedFile "Puppet::Provider::ParsedFile" < PuppetProvider;
    PuppetProviderPackage "Puppet::Provider::Package" < PuppetProvider;
    PuppetProviderNameService "Puppet::Provider::NameService" < PuppetProvider;
    PuppetResourceApi "Puppet::ResourceApi";
}

impl Core {
    pub(super) const fn class(self) -> Class {
        Class(self as u32)
    }
}

impl Class {
    pub(super) fn core(self) -> Option<&'static CoreClass> {
        CORE.get(self.0 as usize)
    }

    pub(super) fn is(self, core: Core) -> bool {
        self == core.class()
    }
}

/// Returns the class of this path, if Ruby or Puppet has it from the beginning. Some have another name beside their
/// own.
pub(super) fn core_named(path: &str) -> Option<Class> {
    let path = match path {
        "YAML" => "Psych",
        "Fixnum" | "Bignum" => "Integer",
        path => path,
    };
    CORE.iter().position(|class| class.path == path).map(|index| Class(index as u32))
}
