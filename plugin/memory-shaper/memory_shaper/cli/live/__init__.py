"""`doctor --live`: a session of the host on a throw-away home, told by us what to call, shows what the guard does."""
