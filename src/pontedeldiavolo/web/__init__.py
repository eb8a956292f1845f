"""The site of the browser page: games played click by click. The command ``serve`` starts it.

Start reading in ``routes.py``: the table ``ROUTES`` at its end names the handler of every path.
Handlers call ``site.py``, which reads and changes games in a ``store.py``, and ``views.py`` says
what the page gets. The page itself, HTML and JavaScript, is in ``static/``.

The routes need attrs alone; only :mod:`pontedeldiavolo.web.http` depends on HTTP.
"""
