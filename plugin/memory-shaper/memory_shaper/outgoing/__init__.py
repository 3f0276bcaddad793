"""The one way out of the machine: an endpoint that the user has set, and one request to it."""
