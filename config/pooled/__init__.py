"""A database engine for the web: Django's PostgreSQL with a pool that outlives the server."""
