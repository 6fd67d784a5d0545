"""The people of an organisation: members, invitations, passwords, keys, and the record of what changed."""
