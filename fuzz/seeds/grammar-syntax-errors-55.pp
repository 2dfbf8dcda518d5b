define(1)
