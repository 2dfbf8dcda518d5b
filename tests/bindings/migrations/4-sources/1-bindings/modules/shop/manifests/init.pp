class shop { }
