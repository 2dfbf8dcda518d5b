$a = 1 + File<| |>
