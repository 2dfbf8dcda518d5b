File<| |>
