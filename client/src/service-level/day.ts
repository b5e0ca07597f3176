import { keyIdFrom, keyIdInput, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '@broker-transparency/log';
import {
  computeResultsRoot,
  type DayProber,
  type FileProblem,
  FORMS,
  hashResult,
  type MeasuredDay,
  mayReport,
  minuteNumber,
  type ProbeResult,
  readDayFile,
  type ServiceLevelDay,
} from '@broker-transparency/service-level';
import { sha256 } from '../audit/hash.ts';
import { ed25519 } from '../verify/platform.ts';
import { type MonthFiles, type Report, resultsPath } from './files.ts';

const isMinute = (value: unknown): value is string => typeof value === 'string' && FORMS.minute.form.test(value);

const isProber = (value: unknown): value is DayProber => {
  const { name, key, since, until, lines, head } = (value ?? {}) as Partial<Record<keyof DayProber, unknown>>;
  const isNamed = typeof name === 'string' && FORMS.prober.form.test(name) && typeof key === 'string';
  const isHead = lines === 0 ? head === null : typeof head === 'string' && FORMS.hash.form.test(head);
  const isCount = typeof lines === 'number' && Number.isInteger(lines) && lines >= 0;
  return isNamed && isHead && isCount && isMinute(since) && (until === undefined || isMinute(until));
};

/** Returns the value of a day's entry; undefined if it has another form. */
export const parseDay = (value: unknown, date: string): ServiceLevelDay | undefined => {
  const day = (value ?? {}) as Partial<ServiceLevelDay>;
  const isDay = day.date === date && typeof day.objectives === 'string' && typeof day.root === 'string';
  if (!isDay || !Array.isArray(day.probers) || !day.probers.every(isProber)) return undefined;
  const names = day.probers.map(({ name }) => name);
  return new Set(names).size === names.length ? (day as ServiceLevelDay) : undefined;
};

/** Returns the key in a text. @throws Error with the reason why it is not this prober's key */
const parseProberKey = (text: string, name: string): VerifierKey => {
  const key = parseVerifierKey(text);
  if (key.name !== name || key.type !== SIGNATURE_TYPES.ed25519) throw new Error(`it is of ${key.name}`);
  if (keyIdFrom(sha256(keyIdInput(key))) !== key.keyId) throw new Error('its id is not the hash of the key');
  return key;
};

/** Returns problems with those of consecutive lines as one. */
const mergeSpans = (problems: readonly FileProblem[]) => {
  const spans: { line: number; lastLine: number; why: string }[] = [];
  for (const { line, why } of problems) {
    const last = spans.at(-1);
    if (last && last.why === why && last.lastLine === line - 1) last.lastLine = line;
    else spans.push({ line, lastLine: line, why });
  }
  return spans.map(({ lastLine, ...span }) => (lastLine > span.line ? { ...span, lastLine } : span));
};

interface ProberResults {
  readonly results: readonly ProbeResult[];
  /** True if these are the results that the entry names. */
  readonly fits: boolean;
}
const NOTHING: ProberResults = { results: [], fits: false };

/** Returns the results that the entry names, as far as they are available. */
const selectResults = (
  results: readonly ProbeResult[],
  { lines, head }: DayProber,
  report: (why: string) => void,
): ProberResults => {
  const counted = results.slice(0, lines);
  const last = counted.at(-1);
  if (counted.length < lines) {
    report(`it has ${results.length} lines, and the entry of the day ${lines}: the last ones are missing`);
    return { results, fits: false };
  }
  if ((last ? hashResult(last, sha256) : null) !== head) {
    report(`line ${lines} is not the one that the entry of the day names`);
    return { results: counted, fits: false };
  }
  if (results.length > lines)
    report(`it has ${results.length} lines, and the entry of the day ${lines}: what came too late does not count`);
  return { results: counted, fits: true };
};

/**
 * The first result that the service never takes: of a minute well before the vote, or after its end. The minute of the
 * end itself can have one, if it came before somebody ended the vote.
 */
const findForeignMinute = (results: readonly ProbeResult[], { since, until = '9' }: DayProber): string | undefined =>
  results.find(({ minute }) => !mayReport({ since }, minuteNumber(minute)) || minute > until)?.minute;

/** The facts of a day before its files are read. */
export interface DayContext {
  readonly day: ServiceLevelDay;
  /** Keys that the reader knows from elsewhere. */
  readonly pinned: ReadonlyMap<string, string>;
  /** Counts only these probers; undefined for all. */
  readonly only: readonly string[] | undefined;
  readonly report: Report;
}

const readProber = async (
  files: MonthFiles,
  prober: DayProber,
  { day, pinned, report }: DayContext,
): Promise<ProberResults> => {
  const { name, lines } = prober;
  const { date } = day;
  const say = (why: string): void => report({ prober: name, date, why });
  const pin = pinned.get(name);
  if (pin !== undefined && pin !== prober.key) say('the entry of the day names another key than the pinned one');
  let key: VerifierKey;
  try {
    key = parseProberKey(pin ?? prober.key, name);
  } catch (error) {
    say(`its key is none: ${(error as Error).message}`);
    return NOTHING;
  }
  const text = await files.read(resultsPath(name, date));
  if (text === undefined) {
    if (lines > 0) say(`its file is missing: its ${lines} lines count as not up`);
    return { results: [], fits: lines === 0 };
  }
  const { results, problems } = await readDayFile(text, { key, date }, { sha256, verify: ed25519 });
  for (const problem of mergeSpans(problems)) report({ prober: name, date, ...problem });
  const foreign = findForeignMinute(results.slice(0, lines), prober);
  if (foreign !== undefined)
    say(`it measured ${foreign}, without a vote as the entry says: it had one, and lost it later`);
  return problems.length > 0 ? { results, fits: false } : selectResults(results, prober, say);
};

/** Reads the results of a day, as far as they count. */
export const readDay = async (files: MonthFiles, of: DayContext): Promise<MeasuredDay> => {
  const { day, only, report } = of;
  const asked = day.probers.filter(({ name }) => only?.includes(name) ?? true);
  const read: ProberResults[] = [];
  for (const prober of asked) read.push(await readProber(files, prober, of));
  const results = read.map((each) => each.results);
  const isWhole = asked.length === day.probers.length && read.every(({ fits }) => fits);
  if (isWhole && computeResultsRoot(results, sha256) !== day.root)
    report({ date: day.date, why: 'the root in its entry is not that of its results' });
  const probers = asked.map(({ name, since, until }, at) => ({ name, since, until, results: results[at] ?? [] }));
  return { date: day.date, probers };
};
