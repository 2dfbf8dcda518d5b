bindings x::default {
bind MyResourceType to MyBetterResourceType
}
