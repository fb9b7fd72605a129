"""The report of runs: one page that needs nothing else, and a Markdown table.

features.py    what a query is made of
categories.py  the taxonomy codes of the difference between a draft and a gold
figures.py     the figures of runs: scores, admission, errors, the worst cases
tables.py      its tables
markdown.py    as Markdown
page.py        as one HTML page
curve.py       the risk-coverage plot, as SVG
"""

from groundwire.bench.report.categories import categories
from groundwire.bench.report.figures import Figures, figures
from groundwire.bench.report.markdown import markdown
from groundwire.bench.report.page import page

__all__ = ["Figures", "categories", "figures", "markdown", "page"]
