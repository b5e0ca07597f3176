import {
  type DayValue,
  ENTRY_KINDS,
  type Entry,
  METHODOLOGY_MODULES,
  type MethodologyValue,
} from '@broker-transparency/contract/record';
import { canonicalJson } from '@broker-transparency/log';
import type { Finding } from './log.ts';
import type { RecordState } from './record-state.ts';
import { createReplay } from './replay.ts';
import { createDayRoots, type DayRow } from './scored-day.ts';
import { createServiceLevelCheck } from './service-level.ts';

const DAY_MS = 86_400_000;

const nextDate = (date: string): string => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

/** The findings of a replay of entries. */
export interface ReplayResult {
  readonly entries: number;
  readonly days: number;
  /** The last day whose scores were compared. */
  readonly lastDay: string | undefined;
  /** Brokers on that day. */
  readonly brokers: number;
  readonly findings: readonly Finding[];
}

const parseEntry = (bytes: Uint8Array): Record<string, unknown> => {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const entry = JSON.parse(text) as unknown;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || canonicalJson(entry) !== text)
    throw new SyntaxError('it is not canonical JSON of an object');
  return entry as Record<string, unknown>;
};

const TEXTS = ['key', 'kind', 'time', 'cause'] as const;

/** @throws SyntaxError if a field is missing, or the key is of another kind */
const checkForm = (entry: Readonly<Record<string, unknown>>): void => {
  const missing = TEXTS.find((name) => typeof entry[name] !== 'string');
  if (missing !== undefined || entry['value'] === undefined) throw new SyntaxError(`it has no ${missing ?? 'value'}`);
  const { key, kind } = entry as unknown as Entry;
  if (key.split('/', 1)[0] !== kind || !ENTRY_KINDS.includes(kind))
    throw new SyntaxError(`it has the kind ${kind} and the key ${key}`);
  if (entry['last'] !== undefined && entry['last'] !== true) throw new SyntaxError('its last is not true');
};

/** The texts that the value of each entry has, for kinds that no score needs. */
const VALUE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  dispute: ['broker', 'field', 'status', 'since', 'dueAt'],
  statement: ['broker', 'decision', 'commitment'],
};

/** @throws SyntaxError if a value lacks a text that its kind has */
const checkShape = ({ kind, value }: Entry): void => {
  if (value === null) return;
  const missing = VALUE_TEXTS[kind]?.find((name) => typeof (value as Record<string, unknown>)[name] !== 'string');
  if (missing !== undefined) throw new SyntaxError(`it has no ${missing}`);
};

/** Returns the finding about missing numbers. */
const formatMissing = (first: number, next: number): string =>
  next - first === 1 ? `${first} is missing` : `${first} to ${next - 1} are missing`;

/** Notes a finding about the entry with a number. */
type AddFinding = (number: number, message: string) => void;

const checkMethodology = ({ number, value }: Entry, addFinding: AddFinding): void => {
  const { version, sha256: file } = value as MethodologyValue;
  const known = METHODOLOGY_MODULES[version];
  if (known === undefined)
    addFinding(number, `entry ${number} names methodology ${version}, which this package does not know: update it`);
  else if (known !== file)
    addFinding(number, `entry ${number} names another arithmetic of methodology ${version} than the published one`);
};

/** Checks that no day is missing, that each ends with a change, and that its scores are those of its entries. */
const createDayCheck = (replay: ReturnType<typeof createReplay>, addFinding: AddFinding) => {
  const hashDay = createDayRoots();
  let [days, brokers] = [0, 0];
  let lastDay: string | undefined;
  /** The numbers after changes, from the number that the last day names. */
  let ends = [0];
  /** Up to this number it is not known where changes end: an entry is missing, or cannot be read. */
  let unsure = -1;
  const recomputeScores = (day: Pick<DayValue, 'date' | 'through'>, number: number): DayRow[] => {
    try {
      return replay.scoresOn(day);
    } catch (error) {
      addFinding(number, `the scores of ${day.date} cannot be recomputed: ${(error as Error).message}`);
      return [];
    }
  };
  return {
    /** Takes the day before the first one that the log has to have. */
    begin: (date: string): void => {
      lastDay ??= date;
    },
    endChange: (number: number): void => {
      ends.push(number);
    },
    /** Takes that changes up to a number may end anywhere. */
    loseTo: (number: number): void => {
      unsure = number;
    },
    check: ({ number, value }: Entry): void => {
      const { date, through, count, root } = value as DayValue;
      const due = lastDay === undefined ? undefined : nextDate(lastDay);
      if (due !== undefined && date !== due)
        addFinding(number, `the day ${due} is missing: entry ${number} is ${date}`);
      if (through > number)
        addFinding(number, `the scores of ${date} follow from entries that come after entry ${number}`);
      if (through > unsure && through <= number && !ends.includes(through))
        addFinding(
          number,
          `the scores of ${date} follow from entries up to ${through - 1}, which is in the middle of a change`,
        );
      ends = ends.filter((end) => end >= through); // days come in order
      const rows = recomputeScores({ date, through }, number);
      const computed = hashDay(rows);
      if (rows.length !== count || computed !== root)
        addFinding(
          number,
          `the scores of ${date} are not what its entries give: entry ${number} says ${count} brokers and ${root}, ` +
            `recomputed are ${rows.length} and ${computed}`,
        );
      [days, lastDay, brokers] = [days + 1, date, rows.length];
    },
    result: () => ({ days, lastDay, brokers }),
  };
};

/**
 * Checks entries in order: their form, numbers, times and changes, the arithmetic that is named, and the scores of
 * every day.
 * @param readValue reads the value of an entry that has only its hash
 * @param isWatched whether the whole value of an entry is kept
 */
export const createEntryCheck = (
  readValue: (number: number, hash: string) => Promise<unknown>,
  isWatched?: Parameters<typeof createReplay>[0],
) => {
  const replay = createReplay(isWatched);
  const findings: Finding[] = [];
  let [entries, time] = [0, ''];
  /** Number that comes next. */
  let due = 0;
  /** Number of findings about missing entries, which come first. */
  let missing = 0;
  /** The first entry of the unfinished change; undefined between two changes. */
  let open: Pick<Entry, 'number' | 'time'> | undefined;
  const addFinding: AddFinding = (number, message) => {
    findings.push({ number, message });
  };
  const dayCheck = createDayCheck(replay, addFinding);
  const checkServiceLevel = createServiceLevelCheck(addFinding);
  const loseChange = (): void => {
    open = undefined;
    dayCheck.loseTo(due);
  };
  const skipTo = (number: number): void => {
    findings.splice(missing++, 0, { number: due, message: formatMissing(due, number) });
    due = number;
    loseChange();
  };

  const decodeEntry = async (bytes: Uint8Array, number: number): Promise<Entry | undefined> => {
    try {
      const { valueHash, ...entry } = parseEntry(bytes);
      const value = typeof valueHash === 'string' ? await readValue(number, valueHash) : entry['value'];
      checkForm({ ...entry, value });
      return { ...entry, value } as unknown as Entry;
    } catch (error) {
      addFinding(number, `entry ${number} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  };
  const checkChange = ({ number, time, last }: Entry): void => {
    if (open && open.time !== time)
      addFinding(
        number,
        `entry ${number} belongs to the change that begins with entry ${open.number}, and has another time`,
      );
    open = last ? undefined : (open ?? { number, time });
    if (last) dayCheck.endChange(number + 1);
  };

  return {
    /** Checks the next entry. Returns it, unless it cannot be read. */
    add: async (bytes: Uint8Array): Promise<Entry | undefined> => {
      entries++;
      const entry = await decodeEntry(bytes, due);
      // after an entry that is missing, the others are checked by the numbers that they have
      if (entry && entry.number > due && Number.isSafeInteger(entry.number)) skipTo(entry.number);
      const number = due++;
      if (!entry) {
        loseChange();
        return undefined;
      }
      if (entry.number !== number) addFinding(number, `entry ${number} says that it is number ${entry.number}`);
      if (entry.time < time) addFinding(number, `the time of entry ${number} is before that of the entry before it`);
      if (entries === 1) dayCheck.begin(entry.time.slice(0, 10));
      ({ time } = entry);
      checkChange({ ...entry, number });
      try {
        checkShape(entry);
        if (entry.kind === 'day' && entry.value !== null) dayCheck.check(entry);
        else if (entry.kind === 'methodology' && entry.value !== null) checkMethodology(entry, addFinding);
        else if (entry.kind === 'service-level') checkServiceLevel(entry);
        replay.add(entry);
      } catch (error) {
        addFinding(number, `entry ${number} does not say what its kind says: ${(error as Error).message}`);
      }
      return entry;
    },
    /** Checks that the log has no number less than its size, and does not end in the middle of a change. */
    end: (size: number): void => {
      if (size > due) skipTo(size);
      if (open)
        addFinding(open.number, `the log ends in the middle of the change that begins with entry ${open.number}`);
    },
    result: (): ReplayResult => ({ entries, ...dayCheck.result(), findings }),
    /** Returns the number of findings about missing entries, which come first. */
    missing: (): number => missing,
    /** Returns the state of the record at a time. Nothing can be added afterwards. */
    knownAt: (validAt: string): RecordState => replay.knownAt(validAt),
  };
};
