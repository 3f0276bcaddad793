"""What `doctor` looks at, one module a subject; every check is a function that gives findings and changes nothing."""
