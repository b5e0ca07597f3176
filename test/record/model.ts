// An independent model of the record, written from docs/record.md and docs/methodology/*.md alone.
// It keeps everything in memory. What the pages left open is in NOTES.md, as N1, N2 …
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };

export interface ModelEntry {
  number: number;
  time: string; // RFC 3339 in UTC with milliseconds
  key: string;
  kind: string;
  cause: string;
  last?: true;
  validFrom?: string;
  validTo?: string;
  value: Json;
}

interface BrokerValue {
  slug: string;
  status: string;
  checked: boolean;
  entities: { legalName: string; retailClients: boolean | null }[];
  checklist: { key: string; met: boolean | null }[];
  merged?: string[];
}
interface Holder {
  legalName: string;
  type: string;
  status: string;
  activeSince?: string | null;
}
interface LicenseValue {
  broker: string;
  regulator: string;
  number: string;
  holders: Holder[];
}
interface WarningValue {
  broker: string;
  about: string;
  withdrawnAt?: string | null;
}
interface RegulatorValue {
  code: string;
  tier: number;
}
interface ReviewValue {
  broker: string;
  rating: number;
  month: string;
  state: string;
}
interface RatingMonth {
  month: string;
  count: number;
  sum: number; // hundredths of a star
  sumOfSquares: number; // hundredths squared
}
interface ComplaintMonth {
  month: string;
  closed: number;
  resolved: number;
  timely: number;
}
interface MethodologyValue {
  version: string;
  sha256: string;
}

export interface BrokerParts {
  broker: BrokerValue | null; // null: not published
  licenses: LicenseValue[]; // by key
  warnings: WarningValue[]; // by key
  regulators: RegulatorValue[]; // the ones its licences name, by code; tier 4 if not published
  ratingsByMonth: RatingMonth[]; // by month, with those of merged brokers
  complaintsByMonth: ComplaintMonth[]; // by month, with those of merged brokers; every month, not only those that count
  methodologyVersion: string | null;
}

type Color = 'green' | 'yellow' | 'red' | 'gray';
export interface Score {
  value: number | null;
  color: Color;
  methodologyVersion: string | null;
}
export interface DayValue {
  date: string;
  through: number;
  count: number;
  root: string;
}

// --- Canonical JSON (RFC 8785) ---

function canonicalString(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new Error('A lone surrogate has no canonical JSON');
  return JSON.stringify(text);
}

function canonicalJson(value: Json): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} has no canonical JSON`);
    return JSON.stringify(value); // the number format of ECMAScript; -0 becomes 0
  }
  if (typeof value === 'string') return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members: string[] = [];
  for (const name of Object.keys(value).sort(byCodeUnits)) {
    const member = value[name];
    if (member !== undefined) members.push(`${canonicalString(name)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

// The order of UTF-16 code units, which is what < means for strings.
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const MAX_ENTRY_BYTES = 65_535;

function canonicalBytes(entry: ModelEntry): Uint8Array {
  const { number, time, key, kind, cause, validFrom, validTo, value } = entry;
  const head = { number, time, key, kind, cause, validFrom, validTo };
  const whole = Buffer.from(canonicalJson({ ...head, value }));
  if (whole.length <= MAX_ENTRY_BYTES) return whole;
  return Buffer.from(canonicalJson({ ...head, valueHash: sha256(canonicalJson(value)).toString('base64') }));
}

// --- Merkle tree (RFC 6962, section 2.1) ---

function merkleRoot(leaves: Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  const [only] = leaves;
  if (leaves.length === 1 && only) return sha256(Uint8Array.of(0), only);
  let split = 1; // the largest power of two that is smaller than the number of leaves
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Uint8Array.of(1), merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)));
}

// --- Times ---

const DAY_MS = 86_400_000;

function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw new Error(`No such date: ${year}-${month}-${day}`);
  }
  return date.getTime();
}

// RFC 3339, and what the page's example writes besides: no seconds, or a date alone (00:00 UTC). Finer than
// milliseconds is cut off, which changes no comparison with times of milliseconds. (N5, N6)
function parseTime(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d))?$/i.exec(text);
  if (!match) throw new Error(`Not a time: ${text}`);
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw new Error(`No such time: ${text}`);
  let ms = utc(Number(year), Number(month), Number(day));
  ms += (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000;
  ms += Number(fraction.padEnd(3, '0').slice(0, 3));
  if (zone.toUpperCase() === 'Z') return ms;
  const [offsetHour, offsetMinute] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (offsetHour > 23 || offsetMinute > 59) throw new Error(`No such offset: ${text}`);
  return ms + (zone.startsWith('-') ? 1 : -1) * (offsetHour * 60 + offsetMinute) * 60_000;
}

function parseDate(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) throw new Error(`Not a date: ${text}`);
  return utc(Number(match[1]), Number(match[2]), Number(match[3]));
}

// Months since year 0.
function parseMonth(text: string): number {
  const match = /^(\d{4})-(\d\d)$/.exec(text);
  const month = Number(match?.[2]);
  if (!match || month < 1 || month > 12) throw new Error(`Not a month: ${text}`);
  return Number(match[1]) * 12 + month - 1;
}

function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

// --- Score ---

interface ScoreInput {
  status: string;
  checked: boolean;
  entities: BrokerValue['entities'];
  licenses: { holder: Holder; regulator: string; tier: number }[];
  ratingsByMonth: RatingMonth[];
  complaintsByMonth: ComplaintMonth[];
  checklist: BrokerValue['checklist'];
  warnings: { about: string; withdrawnAt?: string | null; match?: string }[];
}
interface ScoreDetail {
  value: number | null;
  color: Color;
  components: { key: string; score: number; contribution: number }[];
  rawValue: number | null;
  caps: string[];
  effectiveReviews: number;
  low: number | null;
  high: number | null;
}

const CHECKLIST = [
  'legalEntity',
  'registerLink',
  'fees',
  'executionPolicy',
  'clientMoney',
  'riskWarning',
  'complaintProcedure',
  'leverage',
  'address',
  'ownership',
];
const CAP_LIMITS = {
  noScoringLicense: 39,
  onlyLowTiers: 69,
  fewReviews: 69,
  officialWarning: 19,
  uncheckedWarning: 19,
};
const WEIGHTS = { regulation: 40, userRating: 25, complaints: 15, transparency: 10, longevity: 10 }; // percent
const VERSIONS = ['2026-1', '2098-1'];

function quality(tier: number): number {
  const q = [0.75, 0.5, 0.25, 0.1][tier - 1];
  if (q === undefined) throw new Error(`No such tier: ${tier}`);
  return q;
}

function strength(status: string): number {
  return status === 'active' ? 1 : status === 'restricted' ? 0.5 : 0;
}

function checkCount(count: number, limit = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(count) || count < 0 || count > limit) throw new Error(`Not a valid count: ${count}`);
}

// Scores are kept as whole billionths, so that rounding to 1e-9 and halves are exact.
function billionths(score: number): number {
  return Math.round(score * 1e9);
}

function regulation(input: ScoreInput): number {
  const computeStrength = (legalName: string): number => {
    const best = new Map<string, number>();
    for (const { holder, regulator, tier } of input.licenses) {
      if (holder.type !== 'authorisation' || holder.legalName !== legalName) continue;
      best.set(regulator, Math.max(best.get(regulator) ?? 0, quality(tier) * strength(holder.status)));
    }
    let missing = 1;
    for (const part of best.values()) missing *= 1 - part;
    return 100 * (1 - missing);
  };
  const retail = input.entities.filter((entity) => entity.retailClients === true);
  const counted = (retail.length > 0 ? retail : input.entities).map((entity) => computeStrength(entity.legalName));
  return counted.length > 0 ? (Math.max(...counted) + Math.min(...counted)) / 2 : 0;
}

interface Rating {
  stars: number; // B
  effective: number; // n
  margin: number; // stars
}

function rate(months: RatingMonth[], at: number): Rating {
  let [weight, squaredWeight, stars, squares] = [0, 0, 0, 0];
  for (const { month, count, sum, sumOfSquares } of months) {
    checkCount(count);
    const index = parseMonth(month);
    const first = utc(Math.floor(index / 12), (index % 12) + 1, 1);
    const age = Math.max(0, dayNumber(at) - dayNumber(first));
    const w = 2 ** (-age / 365);
    weight += w * count;
    squaredWeight += w * w * count;
    stars += (w * sum) / 100;
    squares += (w * sumOfSquares) / 10_000;
  }
  const mean = (10 * 3 + stars) / (10 + weight);
  // Rounded, since ten equal weights can give 9.999999999999998 (N31).
  const effective = squaredWeight > 0 ? billionths(weight ** 2 / squaredWeight) / 1e9 : 0;
  const deviation = Math.max(0, squares - 2 * mean * stars + mean ** 2 * weight);
  const variance = (deviation + 1) / (weight + 1);
  return { stars: mean, effective, margin: 1.96 * Math.sqrt(variance / (effective + 10)) };
}

// The month of the score and the 36 before; by 2098-1 that month alone.
function complaintSums(months: ComplaintMonth[], at: number, version: string): Omit<ComplaintMonth, 'month'> {
  const date = new Date(at);
  const last = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const sums = { closed: 0, resolved: 0, timely: 0 };
  for (const { month, closed, resolved, timely } of months) {
    checkCount(closed);
    checkCount(resolved, closed);
    checkCount(timely, closed);
    const index = parseMonth(month);
    if (index > last || index < last - (version === '2098-1' ? 0 : 36)) continue;
    sums.closed += closed;
    sums.resolved += resolved;
    sums.timely += timely;
  }
  return sums;
}

function complaintScore(months: ComplaintMonth[], at: number, version: string): number {
  const { closed, resolved, timely } = complaintSums(months, at, version);
  return 100 * ((0.7 * (resolved + 4)) / (closed + 4) + (0.3 * (timely + 4)) / (closed + 4));
}

function longevity(holders: Holder[], at: number): number {
  const starts = holders.flatMap(({ activeSince }) => (activeSince ? [dayNumber(parseDate(activeSince))] : []));
  if (starts.length === 0) return 0;
  const years = Math.max(0, dayNumber(at) - Math.min(...starts)) / 365.25;
  return 100 * Math.min(1, Math.log(1 + years) / Math.log(21));
}

// One decimal, halves up.
function toValue(raw: number, caps: (keyof typeof CAP_LIMITS)[]): number {
  const capped = Math.min(raw, 100e9, ...caps.map((cap) => CAP_LIMITS[cap] * 1e9));
  return Math.floor((capped + 5e7) / 1e8) / 10;
}

function computeScore(input: ScoreInput, computedAt: string, version: string): ScoreDetail {
  if (!VERSIONS.includes(version)) throw new Error(`Unknown methodology ${version}`);
  const at = parseTime(computedAt);
  const rating = rate(input.ratingsByMonth, at);
  const names = new Set(input.entities.map((entity) => entity.legalName));
  const scoring = input.licenses.filter(
    ({ holder }) => holder.type === 'authorisation' && names.has(holder.legalName) && strength(holder.status) > 0,
  );
  if (!input.checked || input.status === 'ceased' || input.status === 'merged') {
    return {
      value: null,
      color: 'gray',
      components: [],
      rawValue: null,
      caps: [],
      effectiveReviews: rating.effective,
      low: null,
      high: null,
    };
  }

  const met = CHECKLIST.filter((key) => input.checklist.some((item) => item.key === key && item.met === true)).length;
  const scores = {
    regulation: regulation(input),
    userRating: ((rating.stars - 1) / 4) * 100,
    complaints: complaintScore(input.complaintsByMonth, at, version),
    transparency: (100 * met) / CHECKLIST.length,
    longevity: longevity(
      scoring.map(({ holder }) => holder),
      at,
    ),
  };
  const contribution = (key: keyof typeof WEIGHTS, score: number): number =>
    Math.round((billionths(score) * WEIGHTS[key]) / 100);
  const keys = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const raw = keys.reduce((sum, key) => sum + contribution(key, scores[key]), 0);

  const caps: (keyof typeof CAP_LIMITS)[] = [];
  if (scoring.length === 0) caps.push('noScoringLicense');
  else if (scoring.every(({ tier }) => tier >= 3)) caps.push('onlyLowTiers');
  if (rating.effective < 10) caps.push('fewReviews');
  const standing = input.warnings.filter(({ about, withdrawnAt }) => about === 'this_firm' && withdrawnAt == null);
  if (standing.some(({ match }) => match !== 'unchecked')) caps.push('officialWarning');
  if (standing.some(({ match }) => match === 'unchecked')) caps.push('uncheckedWarning');

  const decimal = toValue(raw, caps);
  const value = version === '2098-1' ? Math.round(decimal) : decimal;
  const withStars = (stars: number): number => {
    const clamped = ((Math.min(5, Math.max(1, stars)) - 1) / 4) * 100;
    const others = raw - contribution('userRating', scores.userRating);
    return toValue(others + contribution('userRating', clamped), caps);
  };
  return {
    value,
    color: value >= 70 ? 'green' : value >= 40 ? 'yellow' : 'red',
    components: keys.map((key) => ({
      key,
      score: billionths(scores[key]) / 1e9,
      contribution: contribution(key, scores[key]) / 1e9,
    })),
    rawValue: raw / 1e9,
    caps,
    effectiveReviews: rating.effective,
    low: withStars(rating.stars - rating.margin),
    high: withStars(rating.stars + rating.margin),
  };
}

// --- Record ---

const CAUSES = ['start', 'fact', 'correction', 'identity', 'check', 'undo', 'erasure', 'methodology', 'day', 'restore'];

interface EntryInterval {
  entry: ModelEntry;
  from: number; // -Infinity: always
  to: number; // this time excluded; Infinity: no end is known
}

function joinKey(...values: string[]): string {
  return values.map(encodeURIComponent).join('/');
}

export class RecordModel {
  readonly entries: ModelEntry[] = [];
  readonly #times: number[] = [];
  readonly #byKey = new Map<string, EntryInterval[]>();
  readonly #keysByKind = new Map<string, Set<string>>();
  readonly #keysByBroker = new Map<string, Set<string>>(); // `license/<broker>/` and `warning/<broker>/`
  readonly #reviewKeys = new Map<string, Set<string>>(); // a broker, and the reviews that ever named it
  readonly #methodologies: ModelEntry[] = [];

  append(entry: ModelEntry): void {
    if (entry.number !== this.entries.length) throw new Error(`Expected number ${this.entries.length}`);
    const time = parseTime(entry.time);
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(entry.time)) throw new Error(`Not in form: ${entry.time}`);
    if (time < (this.#times.at(-1) ?? -Infinity)) throw new Error('The time decreases');
    const [kind = ''] = entry.key.split('/', 1);
    if (kind === entry.key || kind !== entry.kind) throw new Error(`The kind of ${entry.key} is not ${entry.kind}`);
    if (!CAUSES.includes(entry.cause)) throw new Error(`Unknown cause ${entry.cause}`);
    canonicalBytes(entry); // throws if there are none

    const copy = structuredClone(entry);
    const to = copy.validTo === undefined ? Infinity : parseTime(copy.validTo);
    const stored = { entry: copy, from: findBeginning(copy, time), to };
    this.entries.push(copy);
    this.#times.push(time);
    list(this.#byKey, copy.key).push(stored);
    add(this.#keysByKind, kind, copy.key);
    if (kind === 'license' || kind === 'warning') add(this.#keysByBroker, copy.key.split('/', 2).join('/'), copy.key);
    if (kind === 'methodology') this.#methodologies.push(copy);
    const review = kind === 'review' ? (copy.value as unknown as ReviewValue | null) : null;
    if (review) add(this.#reviewKeys, review.broker, copy.key);
  }

  // The value, or null if nothing is published under the key.
  findValue(key: string, knownAt: number | string, validAt: string): Json {
    return this.#findValue(key, this.#toNumber(knownAt), parseTime(validAt));
  }

  findBroker(broker: string, knownAt: number | string, validAt: string): BrokerParts {
    const known = this.#toNumber(knownAt);
    const at = parseTime(validAt);
    const get = <T>(key: string): T | null => this.#findValue(key, known, at) as unknown as T | null;
    const getAll = <T>(keys: Iterable<string>): T[] => [...keys].sort(byCodeUnits).flatMap((key) => get<T>(key) ?? []);

    const value = get<BrokerValue>(`broker/${joinKey(broker)}`);
    const licenses = getAll<LicenseValue>(this.#keysByBroker.get(`license/${joinKey(broker)}`) ?? []);
    const codes = [...new Set(licenses.map((license) => license.regulator))].sort(byCodeUnits);

    const ratings = new Map<string, RatingMonth>();
    const complaints = new Map<string, ComplaintMonth>();
    // Only brokers that this one names itself, each once (N22).
    for (const name of new Set([broker, ...(value?.merged ?? [])])) {
      for (const review of getAll<ReviewValue>(this.#reviewKeys.get(name) ?? [])) {
        if (review.broker !== name || review.state !== 'published') continue;
        const hundredths = Math.round(review.rating * 100);
        if (Math.abs(hundredths - review.rating * 100) > 1e-6 || hundredths < 100 || hundredths > 500) {
          throw new Error(`Not a rating: ${review.rating}`);
        }
        const { month } = review;
        parseMonth(month);
        const sums = ratings.get(month) ?? { month, count: 0, sum: 0, sumOfSquares: 0 };
        sums.count += 1;
        sums.sum += hundredths;
        sums.sumOfSquares += hundredths ** 2;
        ratings.set(month, sums);
      }
      for (const counts of get<{ months: ComplaintMonth[] }>(`complaints/${joinKey(name)}`)?.months ?? []) {
        const { month } = counts;
        parseMonth(month);
        checkCount(counts.closed);
        checkCount(counts.resolved, counts.closed);
        checkCount(counts.timely, counts.closed);
        const sums = complaints.get(month) ?? { month, closed: 0, resolved: 0, timely: 0 };
        sums.closed += counts.closed;
        sums.resolved += counts.resolved;
        sums.timely += counts.timely;
        complaints.set(month, sums);
      }
    }

    const byMonth = (a: { month: string }, b: { month: string }): number => byCodeUnits(a.month, b.month);
    return {
      broker: value,
      licenses,
      warnings: getAll<WarningValue>(this.#keysByBroker.get(`warning/${joinKey(broker)}`) ?? []),
      regulators: codes.map((code) => ({ code, tier: get<RegulatorValue>(`regulator/${joinKey(code)}`)?.tier ?? 4 })),
      ratingsByMonth: [...ratings.values()].sort(byMonth),
      complaintsByMonth: [...complaints.values()].sort(byMonth),
      methodologyVersion: this.#findMethodology(known),
    };
  }

  // Null if the broker is not published. Without a methodology the score is gray and has no version (N24).
  computeScoreAt(broker: string, knownAt: number | string, validAt: string): Score | null {
    const found = this.findBroker(broker, knownAt, validAt);
    if (!found.broker) return null;
    const { methodologyVersion } = found;
    if (methodologyVersion === null) return { value: null, color: 'gray', methodologyVersion };
    const { value, color } = computeScore(toInput(found, found.broker), validAt, methodologyVersion);
    return { value, color, methodologyVersion };
  }

  // By the page, the number `through` itself does not count. With `inclusive` it does (N33).
  computeDay(date: string, through: number, inclusive = false): DayValue {
    parseDate(date);
    const knownAt = inclusive ? through : through - 1;
    const validAt = `${date}T00:00:00.000Z`;
    const leaves: { slug: string; key: string; bytes: Uint8Array }[] = [];
    for (const key of this.#keysByKind.get('broker') ?? []) {
      const value = this.findValue(key, knownAt, validAt) as unknown as BrokerValue | null;
      if (!value) continue;
      const score = this.computeScoreAt(decodeURIComponent(key.slice('broker/'.length)), knownAt, validAt);
      const leaf = [value.slug, score?.value ?? null, score?.color ?? 'gray'];
      leaves.push({ slug: value.slug, key, bytes: Buffer.from(canonicalJson(leaf)) });
    }
    leaves.sort((a, b) => byCodeUnits(a.slug, b.slug) || byCodeUnits(a.key, b.key));
    const root = merkleRoot(leaves.map((leaf) => leaf.bytes)).toString('base64');
    return { date, through, count: leaves.length, root };
  }

  canonicalBytes(entry: ModelEntry): Uint8Array {
    return canonicalBytes(entry);
  }

  // The last number of the change that has this one, or that was given at this time or before; -1 if there is none.
  #toNumber(knownAt: number | string): number {
    if (typeof knownAt === 'number') {
      if (!Number.isInteger(knownAt)) throw new Error(`Not a number of an entry: ${knownAt}`);
      let end = knownAt;
      while (this.entries[end] && !this.entries[end]?.last) end++;
      return end;
    }
    const time = parseTime(knownAt);
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #findValue(key: string, known: number, at: number): Json {
    const winner = this.#byKey
      .get(key)
      ?.findLast(({ entry, from, to }) => entry.number <= known && from <= at && at < to);
    return winner?.entry.value ?? null;
  }

  #findMethodology(known: number): string | null {
    const last = this.#methodologies.findLast((entry) => entry.number <= known) ?? this.#methodologies[0];
    return (last?.value as unknown as MethodologyValue | null | undefined)?.version ?? null;
  }
}

function findBeginning(entry: ModelEntry, time: number): number {
  if (entry.validFrom === undefined) return entry.cause === 'start' ? -Infinity : time;
  return Math.min(parseTime(entry.validFrom), time);
}

function toInput(found: BrokerParts, broker: BrokerValue): ScoreInput {
  const tiers = new Map(found.regulators.map(({ code, tier }) => [code, tier]));
  const { status, checked, entities, checklist } = broker;
  const { ratingsByMonth, complaintsByMonth, warnings } = found;
  const licenses = found.licenses.flatMap(({ regulator, holders }) =>
    holders.map((holder) => ({ holder, regulator, tier: tiers.get(regulator) ?? 4 })),
  );
  return { status, checked, entities, checklist, licenses, ratingsByMonth, complaintsByMonth, warnings };
}

function list<T>(map: Map<string, T[]>, key: string): T[] {
  const found = map.get(key) ?? [];
  map.set(key, found);
  return found;
}

function add(map: Map<string, Set<string>>, key: string, item: string): void {
  const found = map.get(key) ?? new Set();
  map.set(key, found);
  found.add(item);
}
