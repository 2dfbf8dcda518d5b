$a = -File<| |>
