"""A board to touch: games in a browser, click by click. The command ``serve`` starts it.

What is asked and answered needs attrs alone; only :mod:`~pontedeldiavolo.web.http.app` knows HTTP.
"""
