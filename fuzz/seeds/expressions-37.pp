File<| !(a == 1) |>
