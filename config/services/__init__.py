"""PostgreSQL and Valkey from wheels, for a machine on which nothing is set up.

``pair.ensure()`` finds or starts both. They give way to managed services by ``DATABASE_URL`` and
``REDIS_URL``. Nothing here knows Django.
"""
