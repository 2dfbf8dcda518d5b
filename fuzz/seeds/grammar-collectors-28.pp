File<| |>
File { mode => '1' }
