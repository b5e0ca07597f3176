// contract/src/score/2026-1/methodology.ts
var METHODOLOGY_VERSION = "2026-1";
var WEIGHTS = {
  regulation: 0.4,
  userRating: 0.25,
  complaints: 0.15,
  transparency: 0.1,
  longevity: 0.1
};
var COMPONENT_KEYS = Object.keys(WEIGHTS);
var TIER_STRENGTH = { 1: 0.75, 2: 0.5, 3: 0.25, 4: 0.1 };
var LICENSE_STRENGTH = {
  pending: 0,
  active: 1,
  restricted: 0.5,
  suspended: 0,
  withdrawn: 0,
  revoked: 0,
  expired: 0,
  unverified: 0
};
var LICENSE_STATUSES = Object.keys(LICENSE_STRENGTH);
var REGIMES = { nfa: "cftc" };
var RATING_PRIOR = { mean: 3, count: 10, halfLifeDays: 365 };
var COMPLAINT_PRIOR = { count: 4, resolvedShare: 0.7, timelyShare: 0.3, windowMonths: 36 };
var CHECKLIST_KEYS = [
  "legalEntity",
  "registerLink",
  "fees",
  "executionPolicy",
  "clientMoney",
  "riskWarning",
  "complaintProcedure",
  "leverage",
  "address",
  "ownership"
];
var LONGEVITY_FULL_YEARS = 20;
var CAPS = {
  noScoringLicense: { limit: 39, reason: "No authorisation of its entities is active or restricted." },
  onlyLowTiers: { limit: 69, reason: "Every scoring authorisation is of a tier 3 or 4 regulator." },
  fewReviews: { limit: 69, reason: "Fewer than 10 effective reviews." },
  officialWarning: { limit: 19, reason: "A regulator warns about this firm and has not withdrawn the warning." },
  uncheckedWarning: {
    limit: 19,
    reason: "A warning of a regulator was matched to this firm automatically by LEI or licence number, and nobody has checked it yet."
  }
};
var CAP_CODES = Object.keys(CAPS);
var CONFIDENCE_FROM = { medium: 10, high: 50 };
var COLOR_FROM = { green: 70, yellow: 40 };

// contract/src/score/2026-1/components.ts
var DAY = 864e5;
var YEAR_DAYS = 365.25;
var nano = (value) => Math.round(value * 1e9) / 1e9;
var count = (name, value, max = Number.MAX_SAFE_INTEGER) => {
  if (!Number.isSafeInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be a whole number from 0 to ${max}, not ${value}`);
  return value + 0;
};
var utcDay = (name, milliseconds) => {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`${name} is not a date`);
  return Math.floor(milliseconds / DAY);
};
var strengthOf = (strengths, key) => strengths[key] ?? Number.NaN;
var licenseStrength = (license) => {
  if (license.type !== "authorisation") return 0;
  const strength = strengthOf(TIER_STRENGTH, license.tier) * strengthOf(LICENSE_STRENGTH, license.status);
  if (Number.isNaN(strength)) throw new RangeError(`no strength for tier ${license.tier}, status ${license.status}`);
  return strength;
};
var entityRegulation = (legalName, licenses) => {
  const best = /* @__PURE__ */ new Map();
  for (const license of licenses) {
    if (license.entity.legalName !== legalName) continue;
    const regime = REGIMES[license.regulatorCode] ?? license.regulatorCode;
    best.set(regime, Math.max(best.get(regime) ?? 0, licenseStrength(license)));
  }
  const strengths = [...best.values()].sort((a, b) => b - a);
  return nano(100 * (1 - strengths.reduce((open, strength) => open * (1 - strength), 1)));
};
var regulationComponent = (entities, licenses) => {
  const retail = entities.filter((entity) => entity.retailClients);
  const counted = (retail.length > 0 ? retail : entities).map((entity) => entityRegulation(entity.legalName, licenses));
  const strongest = Math.max(0, ...counted);
  const weakest = counted.length > 0 ? Math.min(...counted) : 0;
  return {
    score: nano((strongest + weakest) / 2),
    inputs: { entities: counted.length, strongest, weakest },
    explanation: counted.length === 0 ? "No legal entity is known." : `Mean of the strongest (${strongest}) and the weakest (${weakest}) of ${counted.length} legal ${counted.length === 1 ? "entity" : "entities"}.`
  };
};
var monthAgeDays = (month, at) => Math.max(0, utcDay("at", at.getTime()) - utcDay(`month ${month}`, Date.parse(`${month}-01T00:00:00Z`)));
var checkedMonth = (month) => {
  const reviews = count("count", month.count);
  const sum = count("sum", month.sum, 500 * reviews);
  if (sum < 100 * reviews) throw new RangeError(`sum must be at least ${100 * reviews}, not ${sum}`);
  return { count: reviews, sum, sumOfSquares: count("sumOfSquares", month.sumOfSquares, 25e4 * reviews) };
};
var ratingSums = (months, at) => {
  let reviews = 0;
  let weight = 0;
  let weightSquared = 0;
  let weighted = 0;
  let weightedSquares = 0;
  for (const month of [...months].sort((a, b) => a.month < b.month ? -1 : 1)) {
    const w = 2 ** (-monthAgeDays(month.month, at) / RATING_PRIOR.halfLifeDays);
    const sums = checkedMonth(month);
    reviews += sums.count;
    weight += w * sums.count;
    weightSquared += w * w * sums.count;
    weighted += w * sums.sum / 100;
    weightedSquares += w * sums.sumOfSquares / 1e4;
  }
  return { count: reviews, weight, weightSquared, weighted, weightedSquares };
};
var bayesianAverage = (sums) => (RATING_PRIOR.count * RATING_PRIOR.mean + sums.weighted) / (RATING_PRIOR.count + sums.weight);
var effectiveReviews = (sums) => sums.weightSquared === 0 ? 0 : nano(sums.weight ** 2 / sums.weightSquared);
var ratingMargin = (sums) => {
  const b = bayesianAverage(sums);
  const squares = sums.weightedSquares - 2 * b * sums.weighted + b * b * sums.weight;
  const variance = (Math.max(0, squares) + 1) / (sums.weight + 1);
  return 1.96 * Math.sqrt(variance / (effectiveReviews(sums) + RATING_PRIOR.count));
};
var ratingPoints = (stars) => nano((stars - 1) / 4 * 100);
var userRatingComponent = (sums) => {
  const stars = bayesianAverage(sums);
  return {
    score: ratingPoints(stars),
    inputs: { reviews: sums.count, weight: nano(sums.weight), weightedStars: nano(sums.weighted), stars: nano(stars) },
    explanation: sums.count === 0 ? "No published reviews: the neutral prior of 3 stars." : `${stars.toFixed(2)} stars over ${sums.count} published reviews, faded with age and shrunk toward 3 stars.`
  };
};
var transparencyComponent = (checklist) => {
  const met = CHECKLIST_KEYS.filter((key) => checklist.some((item) => item.key === key && item.met === true)).length;
  const total = CHECKLIST_KEYS.length;
  return {
    score: nano(100 * met / total),
    inputs: { met, total },
    explanation: `${met} of ${total} disclosures are met.`
  };
};
var longevityComponent = (licenses, at) => {
  const since = licenses.filter((license) => licenseStrength(license) > 0 && license.activeSince !== void 0).map((license) => license.activeSince).sort()[0];
  const today = utcDay("at", at.getTime());
  const start = since === void 0 ? today : utcDay(`activeSince ${since}`, Date.parse(`${since}T00:00:00Z`));
  const years = nano(Math.max(0, today - start) / YEAR_DAYS);
  return {
    score: nano(100 * Math.min(1, Math.log(1 + years) / Math.log(1 + LONGEVITY_FULL_YEARS))),
    inputs: { years },
    explanation: since === void 0 ? "No scoring licence with a known start." : `${years.toFixed(1)} years since the oldest scoring licence became active (${since}).`
  };
};

// contract/src/score/2026-1/complaints.ts
var monthNumber = (month) => {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError(`month ${month} is not a month of the calendar`);
  return 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;
};
var monthName = (number) => `${String(Math.floor(number / 12)).padStart(4, "0")}-${String(number % 12 + 1).padStart(2, "0")}`;
var windowAt = (at) => {
  const last = 12 * at.getUTCFullYear() + at.getUTCMonth();
  if (Number.isNaN(last)) throw new RangeError("at is not a date");
  return { first: last - COMPLAINT_PRIOR.windowMonths, last };
};
var checkedMonth2 = ({ month, ...counts }) => {
  const closed = count(`closed of ${month}`, counts.closed);
  return {
    closed,
    resolved: count(`resolved of ${month}`, counts.resolved, closed),
    timely: count(`timely of ${month}`, counts.timely, closed)
  };
};
var complaintCounts = (months, at) => {
  const { first, last } = windowAt(at);
  const sums = { closed: 0, resolved: 0, timely: 0 };
  for (const one of months) {
    const number = monthNumber(one.month);
    const { closed, resolved, timely } = checkedMonth2(one);
    if (number < first || number > last) continue;
    sums.closed += closed;
    sums.resolved += resolved;
    sums.timely += timely;
  }
  return sums;
};
var explanationOf = ({ closed, resolved, timely }, at) => {
  const { first, last } = windowAt(at);
  const months = `from ${monthName(first)} to ${monthName(last)}`;
  return closed === 0 ? `No complaint of a verified person was closed or became overdue ${months}.` : `Of ${closed} complaints that were closed or became overdue ${months}, ${resolved} were resolved and ${timely} answered in time.`;
};
var complaintsComponent = (counts, at) => {
  const closed = count("closed", counts.closed);
  const resolved = count("resolved", counts.resolved, closed);
  const timely = count("timely", counts.timely, closed);
  const { count: prior, resolvedShare, timelyShare } = COMPLAINT_PRIOR;
  const rate = (part) => (part + prior) / (closed + prior);
  return {
    score: nano(100 * (resolvedShare * rate(resolved) + timelyShare * rate(timely))),
    inputs: { closed, resolved, timely },
    explanation: explanationOf({ closed, resolved, timely }, at)
  };
};

// contract/src/score/2026-1/score.ts
var ownLicenses = ({ entities, licenses }) => {
  const names = new Set(entities.map((entity) => entity.legalName));
  return licenses.filter((license) => names.has(license.entity.legalName));
};
var scoringLicenses = (facts) => ownLicenses(facts).filter((license) => licenseStrength(license) > 0);
var utcTime = (text) => {
  const time = new Date(text);
  if (!text.endsWith("Z") || Number.isNaN(time.getTime()))
    throw new RangeError(`${text} is not an RFC 3339 time in UTC`);
  return time;
};
var oneDecimal = (value) => Math.round(value * 10) / 10;
var capConditions = (facts, reviews) => {
  const scoring = scoringLicenses(facts);
  const standing = facts.warnings.filter(
    ({ about, withdrawnAt }) => about === "this_firm" && withdrawnAt === void 0
  );
  return {
    noScoringLicense: scoring.length === 0,
    onlyLowTiers: scoring.length > 0 && scoring.every((license) => license.tier >= 3),
    fewReviews: reviews < CONFIDENCE_FROM.medium,
    officialWarning: standing.some(({ match }) => match !== "unchecked"),
    uncheckedWarning: standing.some(({ match }) => match === "unchecked")
  };
};
var capsInForce = (conditions) => Object.keys(CAPS).filter((code) => conditions[code]).map((code) => ({ code, ...CAPS[code] }));
var colorOf = (value) => {
  if (value === null) return "gray";
  if (value >= COLOR_FROM.green) return "green";
  return value >= COLOR_FROM.yellow ? "yellow" : "red";
};
var confidenceLevel = (reviews) => {
  if (reviews < CONFIDENCE_FROM.medium) return "low";
  return reviews < CONFIDENCE_FROM.high ? "medium" : "high";
};
var contributionOf = (key, score) => nano(WEIGHTS[key] * score);
var componentResults = (facts, sums, at) => ({
  regulation: regulationComponent(facts.entities, facts.licenses),
  userRating: userRatingComponent(sums),
  complaints: complaintsComponent(facts.complaints, at),
  transparency: transparencyComponent(facts.checklist),
  longevity: longevityComponent(ownLicenses(facts), at)
});
var scoreBroker = (facts, computedAt) => {
  const at = utcTime(computedAt);
  const sums = ratingSums(facts.ratingsByMonth, at);
  const reviews = effectiveReviews(sums);
  const results = componentResults(facts, sums, at);
  const components = COMPONENT_KEYS.map((key) => ({
    key,
    weight: WEIGHTS[key],
    score: results[key].score,
    contribution: contributionOf(key, results[key].score),
    inputs: results[key].inputs,
    explanation: results[key].explanation
  }));
  const rawValue = nano(components.reduce((sum, component) => sum + component.contribution, 0));
  const caps = capsInForce(capConditions(facts, reviews));
  const limit = Math.min(100, ...caps.map((cap) => cap.limit));
  const rated = facts.licensesCheckedAt !== null && facts.status !== "ceased" && facts.status !== "merged";
  const capped = (raw) => rated ? oneDecimal(Math.min(raw, limit)) : null;
  const valueAt = (stars2) => capped(
    nano(
      rawValue - contributionOf("userRating", results.userRating.score) + contributionOf("userRating", ratingPoints(Math.min(5, Math.max(1, stars2))))
    )
  );
  const value = capped(rawValue);
  const stars = bayesianAverage(sums);
  const margin = ratingMargin(sums);
  return {
    value,
    rawValue,
    color: colorOf(value),
    methodologyVersion: METHODOLOGY_VERSION,
    computedAt,
    confidence: {
      level: confidenceLevel(reviews),
      effectiveReviews: reviews,
      low: valueAt(stars - margin),
      high: valueAt(stars + margin)
    },
    components,
    caps
  };
};
export {
  bayesianAverage,
  colorOf,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  scoreBroker,
  scoringLicenses
};
