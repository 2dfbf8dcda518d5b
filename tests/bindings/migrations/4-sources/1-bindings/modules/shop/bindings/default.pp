bindings shop::default {
  bind map Web to Sql { dbuser => user, dbhost => host }
  bind parameters Web[one] to optional Sql[one]
  bind dependency Sql[one] -> Web[one]
}
