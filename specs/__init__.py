"""Specs shipped with Twice: settings, faults and the verdicts expected of a protocol, as TOML."""
