"""Delivery protocols."""
