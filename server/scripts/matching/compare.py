"""Public matchers on the same pairs: pip install rapidfuzz==3.14.6 cleanco==2.3, then python3 server/scripts/matching/compare.py.

Each gives a likeness of names. The likeness from which two are the same is chosen on the tuned pairs: the lowest whose
precision has a lower bound (Wilson, 95 %) of at least 99 %, or, if none has, the one of the best precision.
"""

import json
import math
import pathlib

from cleanco import basename
from rapidfuzz import fuzz, utils

PAIRS = pathlib.Path(__file__).parent / "pairs"


def read(name):
    lines = (PAIRS / f"{name}.ndjson").read_text(encoding="utf8").splitlines()
    return [pair for pair in map(json.loads, lines) if "warning" not in pair]


def wilson(hits, of):
    if of == 0:
        return 0.0
    z2 = 1.959964**2
    share = hits / of
    spread = math.sqrt((z2 * (share * (1 - share) + z2 / (4 * of))) / of)
    return (share + z2 / (2 * of) - spread) / (1 + z2 / of)


def names(firm):
    return [one["text"] for one in firm["names"] if one["kind"] != "former"]


def numbers(firm):
    return {(one["register"], one["number"]) for one in firm.get("numbers") or []}


def likeness(matcher, pair):
    return max(matcher(one, other) for one in names(pair["known"]) for other in names(pair["told"]))


def identified(matcher, pair):
    """The same matcher with an LEI, a number or another country before it."""
    known, told = pair["known"], pair["told"]
    if set(known.get("leis") or []) & set(told.get("leis") or []) or numbers(known) & numbers(told):
        return 101.0
    countries = (set(known.get("countries") or []), set(told.get("countries") or []))
    if all(countries) and not countries[0] & countries[1]:
        return 0.0
    return likeness(matcher, pair)


def cleaned(scorer):
    return lambda one, other: scorer(basename(one), basename(other), processor=utils.default_process)


def plain(scorer):
    return lambda one, other: scorer(one, other, processor=utils.default_process)


MATCHERS = {
    "rapidfuzz ratio": plain(fuzz.ratio),
    "rapidfuzz WRatio": plain(fuzz.WRatio),
    "rapidfuzz token_set_ratio": plain(fuzz.token_set_ratio),
    "cleanco + ratio": cleaned(fuzz.ratio),
    "cleanco + token_sort_ratio": cleaned(fuzz.token_sort_ratio),
}


def figures(scored, bound):
    right = sum(same and score >= bound for score, same in scored)
    wrong = sum(not same and score >= bound for score, same in scored)
    return right, wrong, right / max(1, sum(same for _, same in scored))


def chosen(scored):
    best = None
    for bound in [one / 2 for one in range(100, 203)]:
        right, wrong, recall = figures(scored, bound)
        lower = wilson(right, right + wrong)
        if lower >= 0.99:
            return bound
        if best is None or lower > best[0]:
            best = (lower, bound)
    return best[1]


def main():
    tuned, held_out = read("tuned"), read("held-out")
    print("matcher | same from | decided same | wrong | precision % | lower bound % | recall of all %")
    for rule in (likeness, identified):
        for name, matcher in MATCHERS.items():
            bound = chosen([(rule(matcher, pair), pair["same"]) for pair in tuned])
            right, wrong, recall = figures([(rule(matcher, pair), pair["same"]) for pair in held_out], bound)
            said = right + wrong
            label = name if rule is likeness else f"identifiers, then {name}"
            print(
                f"{label} | {bound:g} | {said} | {wrong} | {100 * right / max(1, said):.2f} | "
                f"{100 * wilson(right, said):.2f} | {100 * recall:.2f}"
            )


main()
