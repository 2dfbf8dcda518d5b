bindings x::default {
bind parameters Web[one] to Sql[one] bind parameters Web[one] to Dbuserinfo[general]
}
