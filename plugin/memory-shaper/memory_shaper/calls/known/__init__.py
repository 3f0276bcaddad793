"""The odd commands: what no single row of the table can say."""
