"""The checker: which format a file has, whether it conforms, and everything that is wrong with it.

Imports neither numpy nor torch, and the specification of a format only when a file of it is met.
"""
