class a { class b { } define c() { } }
