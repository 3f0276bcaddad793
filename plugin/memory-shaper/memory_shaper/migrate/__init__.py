"""Taking over what another memory holds: texts in, a plan as a value out; and the way back. Pure but for `sources`."""
