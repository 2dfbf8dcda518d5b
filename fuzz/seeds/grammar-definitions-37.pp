class "foo${a}" { }
