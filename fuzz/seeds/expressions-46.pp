File<| "a${b}" |>
