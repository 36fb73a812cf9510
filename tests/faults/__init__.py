"""Faults by seeded schedules: what dies or breaks, at which step of which call."""
