"""Twice: can a background task be lost, run twice, or hang?"""
