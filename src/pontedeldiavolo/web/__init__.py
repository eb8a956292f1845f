"""The site of the browser page: games played click by click. The command ``serve`` starts it.

Its routes need attrs alone; only :mod:`pontedeldiavolo.web.http` depends on HTTP.
"""
