"""Access of pages and to them: permissions, storage, uploads, locked elements."""
