"""The words that a narration may use of its own, and which of them claim something.

Every other word has to come from the question, the columns or the rows: a sentence that says
something else says something that no row supports.
"""

from __future__ import annotations

__all__ = [
    "AGGREGATES",
    "CAUSES",
    "COLUMN_SYNONYMS",
    "DOWN",
    "GUESSES",
    "HIGH",
    "HIGHER",
    "LOW",
    "LOWER",
    "MARKED",
    "MONEY",
    "NEUTRAL",
    "ROW_NOUNS",
    "UP",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


NEUTRAL = word_set(
    """
    a an the this that these those it its they them their there here he she his her him who whom
    whose which what where when how whether i we you our is are was were be been being am has have
    had having do does did done can could of in on at by for from to with into onto within among
    amongst across over under between through throughout during since until till after before
    about around per each every as than then so if and or but nor while whereas although though
    also too however moreover both either all any some other others another same such own more
    most much many few several less least fewer only just even still again together alone else
    very quite respectively overall altogether not no none never zero yes question n't s t re ve
    ll up down out off above below near next against along versus vs via one first second third
    last once twice half quarter now today currently present date say said according show showing
    shown displayed list listed return returned see seen find found give given get got know known
    include includes included including contain contains contained consist consists comprise count
    counted number numbered figure value result record recorded row entry entries item case
    incident occurrence occur occurred occurring happen happened instance event observation data
    database table column query answer set group grouped category categories type kind class total
    totalled totaled totalling totaling sum amount amounted amounts add adds added make makes made
    up accounts account accounted accounting represent represents represented constitute
    constitutes constituted stand stands stood sit sits reach reached reaching come comes came
    coming go goes went gone hit register registered registering log logged report reported note
    noted average mean median typical maximum minimum max min highest lowest high low higher lower
    top bottom biggest largest greatest smallest bigger larger greater smaller common frequent
    popular rare commonly frequently prevalent rank ranks ranked ranking place placed position
    spot order ordered lead leads led leading leader trail trails trailed trailing follow follows
    followed following behind ahead runner tie ties tied tying equal equals equally identical even
    share percent percentage proportion fraction part ratio rate portion times fold point points
    difference gap margin range ranges ranged ranging spread vary varies varied change changed
    compare compared comparison comparing distinct different unique various separate combined
    combine jointly matching match matches matched exactly precisely approximately roughly nearly
    almost close least circa approx respective following respectively remaining rest belong
    belongs belonged belonging name named names called be its itself themselves where wherein
    therein thereof old new recent latest earliest oldest newest month monthly year yearly annual
    annually week weekly day daily hour hourly decade period time span start starts started
    starting begin begins began beginning end ends ended ending peak peaks peaked peaking follow
    attain attained achieve achieved post posted appear appears appeared appearing hold holds held
    holding bring brings brought bringing generate generates generated generating produce produces
    produced producing earn earns earned live lives lived living based located far much closely
    sharply significantly substantially dramatically markedly considerably slightly narrowly
    marginally differ differs differed live lives lived living based located far much see sees saw
    seeing experience experienced experiences contribute contributes contributed contributing
    cover covers covered covering take takes took taken taking remain remains remained stay stays
    stayed age aged total's null empty missing blank unknown exist exists existed fall within
    """
)
"""Words that claim nothing by themselves, or whose claim another check reads."""

HIGH = word_set(
    """most highest largest biggest greatest maximum max top leading leader lead leads led peak
    peaks peaked peaking busiest longest tallest heaviest oldest costliest dearest leader dominates
    dominated tops topped latest newest richest"""
)
LOW = word_set(
    """fewest lowest smallest least minimum min bottom shortest lightest youngest cheapest quietest
    trails trailed trailing earliest poorest"""
)
HIGHER = word_set(
    """more higher greater larger bigger longer older taller heavier costlier dearer above exceeds
    exceed exceeded exceeding surpasses surpassed surpassing outnumbers outnumber outnumbered beats
    beat ahead outranks over later"""
)
LOWER = word_set(
    "fewer less lower smaller shorter younger cheaper lighter below under behind earlier"
)
UP = word_set(
    """increase increases increased increasing rise rises rose risen rising grow grows grew grown
    growing growth climb climbs climbed climbing upward upwards jump jumped gained doubled tripled
    quadrupled doubling tripling"""
)
DOWN = word_set(
    """decrease decreases decreased decreasing decline declines declined declining fall falls fell
    fallen falling drop drops dropped dropping shrink shrank shrunk shrinking downward downwards
    reduction dip dipped halved halving"""
)
CAUSES = word_set(
    """because cause causes caused causing owing thanks reason reasons explain explains explained
    why therefore thus hence consequently driven driving attributed attributable resulting"""
)
GUESSES = word_set(
    """probably likely unlikely perhaps maybe might may should would will shall must seem seems
    suggest suggests suggesting indicate indicates indicating imply implies appears apparently
    expected expect predict predicted forecast presumably possibly usually typically generally
    normally mainly mostly primarily largely often"""
)
MARKED = word_set("sharply significantly substantially dramatically markedly considerably")
"""A change of a tenth or more."""

AGGREGATES = {
    "total": "sum", "totals": "sum", "totalled": "sum", "totaled": "sum", "totalling": "sum",
    "totaling": "sum", "sum": "sum", "sums": "sum", "altogether": "sum", "combined": "sum",
    "together": "sum", "overall": "sum", "across": "sum",
    "add": "sum", "adds": "sum", "jointly": "sum",
    "average": "mean", "averages": "mean", "averaged": "mean", "mean": "mean", "median": "median",
}  # fmt: skip
"""Words that say how a figure was made of several rows."""

ROW_NOUNS = word_set("row result record entry line value group category item")
"""Singular nouns that stand for the rows of any result."""

MONEY = word_set(
    """price cost revenue sale amount fine salary income spend spending budget pay balance fee tax
    payment profit turnover spent paid earned earning expense wage
    usd eur gbp dollar euro pound money worth value"""
)
"""Singular words of a column or question whose figures may carry a currency sign."""

COLUMN_SYNONYMS = {
    "avg": ("average", "mean"),
    "average": ("average", "mean"),
    "mean": ("average", "mean"),
    "max": ("maximum", "highest", "largest", "most", "latest", "biggest", "longest"),
    "maximum": ("max", "highest", "largest", "most", "latest", "biggest", "longest"),
    "min": ("minimum", "lowest", "smallest", "least", "earliest", "cheapest", "shortest"),
    "minimum": ("min", "lowest", "smallest", "least", "earliest", "cheapest", "shortest"),
    "sum": ("total",),
    "total": ("sum",),
    "cnt": ("count", "number"),
    "count": ("number",),
    "num": ("number", "count"),
    "n": ("number", "count"),
    "qty": ("quantity",),
    "amt": ("amount",),
    "pct": ("percent", "percentage", "share"),
    "percent": ("percentage", "share"),
    "percentage": ("percent", "share"),
    "share": ("percent", "percentage", "proportion"),
    "dept": ("department",),
    "age": ("year", "old"),
    "birth": ("born",),
    "price": ("cost", "priced"),
    "cost": ("price", "costs"),
    "salary": ("earn", "paid", "pay"),
    "population": ("inhabitant", "people", "populous"),
    "length": ("long", "longest", "shortest"),
    "height": ("tall", "high"),
    "weight": ("heavy", "weigh"),
    "temperature": ("warm", "hot", "cold"),
    "duration": ("long", "lasted", "lasts"),
    "distance": ("far", "long"),
    "birthdate": ("born",),
    "birthday": ("born",),
    "dob": ("born",),
}
"""Words by which a sentence may call a column whose name holds the key."""
