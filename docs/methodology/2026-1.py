"""Recomputes published scores by the page 2026-1.md alone.

    python3 2026-1.py FILE...      each line of a file is one broker: a test vector, or an answer of GET /brokers/{slug}
    curl -s http://127.0.0.1:3000/api/v1/brokers/alpha-markets | python3 2026-1.py -

Compares every number, colour and code of each score. Prints each difference, and ends with 1 if there is one.
Needs Python 3.9 and its standard library.
"""
import datetime
import json
import math
import sys

VERSION = "2026-1"
WEIGHTS = {"regulation": 0.40, "userRating": 0.25, "complaints": 0.15, "transparency": 0.10, "longevity": 0.10}
TIERS = {1: 0.75, 2: 0.50, 3: 0.25, 4: 0.10}
STATUSES = {"active": 1.0, "restricted": 0.5}
REGIMES = {"nfa": "cftc"}


def round_to(number, decimals):
    """Rounds halves up."""
    scale = 10**decimals
    return math.floor(number * scale + 0.5) / scale


def parse_day(text):
    return datetime.date.fromisoformat(text[:10])


def weigh_entities(entities, licenses):
    counted = [entity for entity in entities if entity["retailClients"]] or entities
    strengths = [entity_strength(entity["legalName"], licenses) for entity in counted]
    return {"entities": len(strengths), "strongest": max(strengths, default=0), "weakest": min(strengths, default=0)}


def entity_strength(name, licenses):
    best = {}
    for license in licenses:
        if license["entity"]["legalName"] == name and license["type"] == "authorisation":
            regime = REGIMES.get(license["regulatorCode"], license["regulatorCode"])
            strength = TIERS[license["tier"]] * STATUSES.get(license["status"], 0)
            best[regime] = max(best.get(regime, 0), strength)
    return round_to(100 * (1 - math.prod(1 - strength for strength in best.values())), 9)


def weigh_months(months, day):
    """The weight of one review of each month, with the month's sums in stars."""
    for month in sorted(months, key=lambda month: month["month"]):
        age = max(0, (day - parse_day(month["month"] + "-01")).days)
        yield 2 ** (-age / 365), month["count"], month["sum"] / 100, month["sumOfSquares"] / 10000


def rate(months, day):
    """The inputs of the component, the stars B, the effective reviews n, and half the width of the interval in stars."""
    weighed = list(weigh_months(months, day))
    weight = sum(w * count for w, count, _, _ in weighed)
    stars = sum(w * total for w, _, total, _ in weighed)
    average = (10 * 3.0 + stars) / (10 + weight)
    squares = sum(w * w * count for w, count, _, _ in weighed)
    effective = round_to(weight * weight / squares, 9) if squares else 0
    deviations = sum(w * (sq - 2 * average * total + average * average * count) for w, count, total, sq in weighed)
    margin = 1.96 * math.sqrt((deviations + 1) / (weight + 1) / (effective + 10))
    inputs = {
        "reviews": sum(month["count"] for month in months),
        "weight": round_to(weight, 9),
        "weightedStars": round_to(stars, 9),
        "stars": round_to(average, 9),
    }
    return inputs, average, effective, margin


def stars_to_points(stars):
    return (stars - 1) / 4 * 100


def count_complaints(months, day):
    last = day.year * 12 + day.month - 1
    counts = {"closed": 0, "resolved": 0, "timely": 0}
    for month in months:
        index = int(month["month"][:4]) * 12 + int(month["month"][5:7]) - 1
        if last - 36 <= index <= last:
            for key in counts:
                counts[key] += month[key]
    return counts


def score_complaints(counts):
    closed = counts["closed"] + 4
    return 100 * (0.7 * (counts["resolved"] + 4) / closed + 0.3 * (counts["timely"] + 4) / closed)


def scoring_licenses(entities, licenses):
    names = {entity["legalName"] for entity in entities}
    return [
        license
        for license in licenses
        if license["entity"]["legalName"] in names
        and license["type"] == "authorisation"
        and license["status"] in STATUSES
    ]


def supervised_years(licenses, day):
    starts = [parse_day(license["activeSince"]) for license in licenses if license.get("activeSince")]
    days = (day - min(starts)).days if starts else 0
    return round_to(max(0, days) / 365.25, 9)


def caps_in_force(licenses, effective, warnings):
    caps = []
    if not licenses:
        caps.append(("noScoringLicense", 39))
    elif all(license["tier"] in (3, 4) for license in licenses):
        caps.append(("onlyLowTiers", 69))
    if effective < 10:
        caps.append(("fewReviews", 69))
    standing = [w for w in warnings if w["about"] == "this_firm" and "withdrawnAt" not in w]
    if any(warning.get("match") != "unchecked" for warning in standing):
        caps.append(("officialWarning", 19))
    if any(warning.get("match") == "unchecked" for warning in standing):
        caps.append(("uncheckedWarning", 19))
    return [{"code": code, "limit": limit} for code, limit in caps]


def weigh(key, score):
    return round_to(WEIGHTS[key] * round_to(score, 9), 9)


def score_broker(broker):
    day = parse_day(broker["score"]["computedAt"])
    rating, stars, effective, margin = rate(broker["ratingsByMonth"], day)
    scoring = scoring_licenses(broker["entities"], broker["licenses"])
    years = supervised_years(scoring, day)
    regulation = weigh_entities(broker["entities"], broker["licenses"])
    complaints = count_complaints(broker["complaintsByMonth"], day)
    met = sum(1 for item in broker["checklist"] if item["met"])
    results = {
        "regulation": ((regulation["strongest"] + regulation["weakest"]) / 2, regulation),
        "userRating": (stars_to_points(stars), rating),
        "complaints": (score_complaints(complaints), complaints),
        "transparency": (100 * met / 10, {"met": met, "total": 10}),
        "longevity": (100 * min(1, math.log(1 + years) / math.log(21)), {"years": years}),
    }
    components = [
        {"key": key, "weight": WEIGHTS[key], "score": round_to(score, 9), "contribution": weigh(key, score), "inputs": inputs}
        for key, (score, inputs) in results.items()
    ]
    raw = round_to(sum(component["contribution"] for component in components), 9)
    caps = caps_in_force(scoring, effective, broker["warnings"])
    limit = min([cap["limit"] for cap in caps] + [100])

    gray = broker["licensesCheckedAt"] is None or broker["status"] in ("ceased", "merged")

    def value_of(points):
        return None if gray else round_to(min(points, limit), 1)

    def value_at(other):
        points = stars_to_points(min(5, max(1, other)))
        return value_of(round_to(raw - weigh("userRating", stars_to_points(stars)) + weigh("userRating", points), 9))

    value = value_of(raw)
    return {
        "value": value,
        "rawValue": raw,
        "color": "gray" if gray else "green" if value >= 70 else "yellow" if value >= 40 else "red",
        "confidence": {
            "level": "low" if effective < 10 else "medium" if effective < 50 else "high",
            "effectiveReviews": effective,
            "low": value_at(stars - margin),
            "high": value_at(stars + margin),
        },
        "components": components,
        "caps": caps,
    }


def differences(mine, published, path):
    """Every place of `mine` where `published` says something else."""
    if isinstance(mine, dict):
        for key, value in mine.items():
            yield from differences(value, published.get(key, "nothing"), f"{path}.{key}")
    elif isinstance(mine, list):
        if len(mine) != len(published):
            yield f"{path}: {len(published)} of them are published, {len(mine)} follow from the facts"
        for index, (value, other) in enumerate(zip(mine, published)):
            yield from differences(value, other, f"{path}[{index}]")
    elif mine != published:
        yield f"{path}: {json.dumps(published)} is published, {json.dumps(mine)} follows from the facts"


def main(paths):
    if not paths:
        sys.exit(__doc__)
    checked = wrong = 0
    for path in paths:
        with sys.stdin if path == "-" else open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                broker = json.loads(line)
                if broker["score"]["methodologyVersion"] != VERSION:
                    sys.exit(f"{path}, line {number}: the score follows {broker['score']['methodologyVersion']}, not {VERSION}")
                checked += 1
                found = list(differences(score_broker(broker), broker["score"], "score"))
                wrong += bool(found)
                for difference in found:
                    print(f"{path}, line {number}: {difference}")
    print(f"{checked} scores recomputed, {wrong} differ")
    sys.exit(1 if wrong or not checked else 0)


main(sys.argv[1:])
