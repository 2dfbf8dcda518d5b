File<| tag == $a |>
