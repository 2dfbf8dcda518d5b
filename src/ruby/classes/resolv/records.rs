//! The records of DNS: their types, and the objects that become of recorded answers.

use pantin_values::{Str, Value as Answer};

use super::addresses::{address_from_answer, name_from_answer, text_of_message};
use super::lookup::{answer_text, json};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::ResolvResource, Side::Instance, RESOURCE),
    (Core::ResolvDomainName, Side::Instance, &[method("name", 0, 0, field)]),
    (Core::ResolvInA, Side::Instance, &[method("address", 0, 0, field)]),
    (Core::ResolvInAaaa, Side::Instance, &[method("address", 0, 0, field)]),
    (Core::ResolvMx, Side::Instance, &[method("preference", 0, 0, field), method("exchange", 0, 0, field)]),
    (
        Core::ResolvInSrv,
        Side::Instance,
        &[
            method("priority", 0, 0, field),
            method("weight", 0, 0, field),
            method("port", 0, 0, field),
            method("target", 0, 0, field),
        ],
    ),
    (Core::ResolvSoa, Side::Instance, SOA),
    (Core::ResolvTxt, Side::Instance, TXT),
    (Core::ResolvHinfo, Side::Instance, &[method("cpu", 0, 0, field), method("os", 0, 0, field)]),
];

const RESOURCE: &[NativeMethod] = &[
    method("ttl", 0, 0, ttl),
    method("==", 1, 1, is_same),
    method("eql?", 1, 1, is_same),
    method("hash", 0, 0, |interp, given| {
        let fields = fields_of(given.receiver);
        interp.send(&Value::array(fields), "hash", &[])
    }),
];

const SOA: &[NativeMethod] = &[
    method("mname", 0, 0, field),
    method("rname", 0, 0, field),
    method("serial", 0, 0, field),
    method("refresh", 0, 0, field),
    method("retry", 0, 0, field),
    method("expire", 0, 0, field),
    method("minimum", 0, 0, field),
];

const TXT: &[NativeMethod] = &[
    method("strings", 0, 0, field),
    method("data", 0, 0, |interp, given| {
        let strings = interp.instance_variable(given.receiver, &"@strings".into())?;
        interp.send(&strings, "join", &[Value::text("")])
    }),
];

/// Records of one type that say the same.
fn is_same(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let is_of_class = interp.class_name_of(given.receiver) == interp.class_name_of(given.arg(0));
    let (own, other) = (Value::array(fields_of(given.receiver)), Value::array(fields_of(given.arg(0))));
    Ok((is_of_class && interp.equal(&own, &other)?).into())
}

fn fields_of(record: &Value) -> Vec<Value> {
    match record {
        Value::Object(object) => object
            .variables
            .borrow()
            .iter()
            .filter(|(name, _)| name != "@ttl")
            .map(|(_, value)| value.clone())
            .collect(),
        _ => Vec::new(),
    }
}

fn field(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    interp.instance_variable(given.receiver, &format!("@{}", given.name).into())
}

fn ttl(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match interp.instance_variable_if(given.receiver, &"@ttl".into())? {
        Some(ttl) => Ok(ttl),
        None => interp.fatal("the recorded answer to the look-up of a name has no \"ttl\", which Ruby code asks for"),
    }
}

/// What a part of a record is.
#[derive(Clone, Copy)]
enum FieldKind {
    Address,
    Name,
    Number,
    Text,
    Texts,
}

/// A type of records that can be looked up.
pub(super) struct RecordType {
    pub(super) name: &'static str,
    class: Core,
    fields: &'static [(&'static str, FieldKind)],
    /// An answer, as JSON.
    pub(super) example: &'static str,
}

const TYPES: &[RecordType] = &[
    RecordType {
        name: "A",
        class: Core::ResolvInA,
        fields: &[("address", FieldKind::Address)],
        example: r#""192.0.2.1""#,
    },
    RecordType {
        name: "AAAA",
        class: Core::ResolvInAaaa,
        fields: &[("address", FieldKind::Address)],
        example: r#""2001:db8::1""#,
    },
    RecordType {
        name: "CNAME",
        class: Core::ResolvInCname,
        fields: &[("name", FieldKind::Name)],
        example: r#""host.example.org""#,
    },
    RecordType {
        name: "NS",
        class: Core::ResolvInNs,
        fields: &[("name", FieldKind::Name)],
        example: r#""ns.example.org""#,
    },
    RecordType {
        name: "PTR",
        class: Core::ResolvInPtr,
        fields: &[("name", FieldKind::Name)],
        example: r#""host.example.org""#,
    },
    RecordType {
        name: "MX",
        class: Core::ResolvInMx,
        fields: &[("preference", FieldKind::Number), ("exchange", FieldKind::Name)],
        example: r#"{"preference": 10, "exchange": "mail.example.org"}"#,
    },
    RecordType {
        name: "SRV",
        class: Core::ResolvInSrv,
        fields: &[
            ("priority", FieldKind::Number),
            ("weight", FieldKind::Number),
            ("port", FieldKind::Number),
            ("target", FieldKind::Name),
        ],
        example: r#"{"priority": 0, "weight": 5, "port": 5060, "target": "sip.example.org"}"#,
    },
    RecordType {
        name: "TXT",
        class: Core::ResolvInTxt,
        fields: &[("strings", FieldKind::Texts)],
        example: r#"["v=spf1 -all"]"#,
    },
    RecordType {
        name: "SOA",
        class: Core::ResolvInSoa,
        fields: &[
            ("mname", FieldKind::Name),
            ("rname", FieldKind::Name),
            ("serial", FieldKind::Number),
            ("refresh", FieldKind::Number),
            ("retry", FieldKind::Number),
            ("expire", FieldKind::Number),
            ("minimum", FieldKind::Number),
        ],
        example: concat!(
            r#"{"mname": "ns.example.org", "rname": "root.example.org", "serial": 1, "refresh": 3600, "#,
            r#""retry": 600, "expire": 86400, "minimum": 300}"#
        ),
    },
    RecordType {
        name: "HINFO",
        class: Core::ResolvInHinfo,
        fields: &[("cpu", FieldKind::Text), ("os", FieldKind::Text)],
        example: r#"{"cpu": "AMD64", "os": "LINUX"}"#,
    },
];

impl RecordType {
    /// The type that code names by its class.
    pub(super) fn from_class(interp: &mut Interp<'_>, class: &Value) -> Flow<&'static RecordType> {
        let named = match class {
            Value::Class(class) => TYPES.iter().find(|of| class.is(of.class)),
            _ => None,
        };
        if let Some(found) = named {
            return Ok(found);
        }
        let shown = interp.inspect(class)?;
        interp.unsupported(format!("a look-up of records of the type {shown}"))
    }

    /// A recorded answer: the only part of the record, or a hash of all of them.
    pub(super) fn record(&self, interp: &mut Interp<'_>, answer: &Answer) -> Flow {
        let record = Value::object(self.class.class(), Data::None);
        let parts = match answer {
            Answer::Hash(parts) => Some(parts),
            _ => None,
        };
        for (name, kind) in self.fields {
            let part = match parts {
                Some(parts) => parts.get_str(name),
                None if self.fields.len() == 1 => Some(answer),
                None => None,
            };
            let Some(part) = part else {
                let (of, shown) = (self.name, json(answer));
                return interp.fatal(format!("the recorded answer {shown} to a look-up of {of} has no \"{name}\""));
            };
            let value = kind.value(interp, part)?;
            interp.set_instance_variable(&record, &format!("@{name}").into(), value)?;
        }
        if let Some(ttl) = parts.and_then(|parts| parts.get_str("ttl")) {
            let ttl = FieldKind::Number.value(interp, ttl)?;
            interp.set_instance_variable(&record, &Str::from("@ttl"), ttl)?;
        }
        Ok(record)
    }
}

impl FieldKind {
    fn value(self, interp: &mut Interp<'_>, part: &Answer) -> Flow {
        match (self, part) {
            (FieldKind::Address, part) => address_from_answer(interp, part),
            (FieldKind::Name, part) => name_from_answer(interp, part),
            (FieldKind::Number, Answer::Integer(number)) => Ok(Value::Int(*number)),
            (FieldKind::Number, other) => {
                let shown = json(other);
                interp.fatal(format!("a recorded answer to the look-up of a name has {shown} for a number"))
            }
            (FieldKind::Texts, Answer::Array(texts)) => {
                let mut all = Vec::with_capacity(texts.len());
                for text in texts.iter() {
                    all.push(text_of_message(answer_text(interp, text)?));
                }
                Ok(Value::array(all))
            }
            (FieldKind::Texts, text) => Ok(Value::array(vec![text_of_message(answer_text(interp, text)?)])),
            (FieldKind::Text, text) => answer_text(interp, text).map(text_of_message),
        }
    }
}
