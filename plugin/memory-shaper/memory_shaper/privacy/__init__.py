"""What may be remembered: the user's own rules and the built-in detectors, as one question with one answer. Pure.

`screening.screen` answers for a text that is about to be kept, `screening.cleaned` makes a text fit to be kept, and
`patterns.compiled` lets no rule in that could take for ever.
"""
