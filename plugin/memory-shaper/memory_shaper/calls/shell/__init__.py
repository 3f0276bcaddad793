"""Reading shell text: words, tree, expansion, and a walk over the tree that says what the commands would touch."""
