"""Requests, downloads, HTTP authentication, and the policy that they pass."""
