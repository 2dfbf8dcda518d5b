//! The files that resources of modules' types require by themselves, as the Ruby of these types says.

use std::path::Path;

use pantin_model::catalog::Resource;
use pantin_values::Str;

/// Returns the file that a resource comes behind, if the catalog has it.
pub(crate) fn required_file(resource: &Resource) -> Option<Str> {
    let parameter = |name: &str| {
        let found = resource.parameters.iter().find(|(known, _)| *known == name);
        found.and_then(|(_, value)| value.as_str().map(Str::from))
    };
    match &*resource.type_name {
        "File_line" => parameter("path"),
        "Concat_file" => parameter("path").or_else(|| Some(resource.title.clone())),
        "Ini_setting" => {
            let path = parameter("path")?;
            Path::new(path.as_str()).parent()?.to_str().map(Str::from)
        }
        _ => None,
    }
}
