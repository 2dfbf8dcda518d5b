File<| tag == 'a' |> { mode => '0644', require +> File['b'] }
