/** A month as probers signed it and as a log of ours sealed it: the folder that customers check. */
import { createHash } from 'node:crypto';
import {
  canonicalJson,
  computeSubtreesRoot,
  formatCheckpoint,
  formatEntryExtra,
  formatProof,
  fromBase64,
  hashSubtrees,
  inclusionPlan,
  leafInput,
  makeProof,
  parseVerifierKey,
  signNote,
} from '@broker-transparency/log';
import {
  computeResultsRoot,
  type MeasuredDay,
  monthFigures,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
  type ProbeResult,
  type ServiceLevelDay,
} from '@broker-transparency/service-level';
import { createChain, newProber, type ProbeReading, type TestProber } from './prober.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest());
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A prober with its vote. */
export interface Voter {
  readonly prober: TestProber;
  /** `2026-10-01T00:00Z` */
  readonly since: string;
  readonly until?: string;
}

/** The inputs of a month. */
export interface MonthOptions {
  /** The entry of the last day before the month. */
  readonly eve?: ServiceLevelDay;
  /** `YYYY-MM` */
  readonly month: string;
  readonly voters: readonly Voter[];
  /** A prober's results of a day. */
  readonly saidOn: (prober: string, date: string) => readonly ProbeReading[];
  /** Changes what the service seals. */
  readonly sealDay?: (day: ServiceLevelDay) => ServiceLevelDay | undefined;
  readonly sealMonth?: (month: object) => object;
}

/** A folder, and whom its reader trusts. */
export interface MonthFolder {
  readonly files: Map<string, string>;
  readonly logKey: string;
  readonly policy: string;
}

const DAY_MS = 86_400_000;
export const listDates = (month: string): string[] => {
  const dates: string[] = [];
  for (let at = Date.parse(`${month}-01`); ; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    if (!date.startsWith(month)) return dates;
    dates.push(date);
  }
};

const voteOn = (date: string, { since, until }: Voter): boolean => {
  const next = new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);
  return since < `${next}T00:00Z` && (until === undefined || until > `${date}T00:00Z`);
};

/** Puts entries into a log, signs it, and returns a proof of each. */
const createProofs = (entries: readonly string[], log: TestProber): string[] => {
  const subtrees = hashSubtrees(
    entries.map((entry) => sha256(leafInput(utf8(entry)))),
    sha256,
  );
  const { keyId } = parseVerifierKey(log.verifierKey);
  const tree = { origin: log.name, size: entries.length, root: computeSubtreesRoot(subtrees, sha256), extensions: [] };
  const sign = (text: Uint8Array) => fromBase64(log.sign(new TextDecoder().decode(text)));
  const checkpoint = signNote(formatCheckpoint(tree), [{ name: log.name, keyId, sign }]);
  return entries.map((entry, index) =>
    formatProof({
      extra: formatEntryExtra({ entry: utf8(entry), day: undefined }),
      index,
      hashes: makeProof(
        inclusionPlan(index, entries.length),
        ({ level, index: at }) => subtrees[level]?.[at] as Uint8Array,
        sha256,
      ),
      checkpoint,
    }),
  );
};

/** Makes the folder of a month. */
export const makeMonth = (made: MonthOptions): MonthFolder => {
  const { month, voters, saidOn, sealDay = (day) => day, sealMonth = (value) => value } = made;
  const log = newProber('log.example/transparency/v1/log/a');
  const files = new Map<string, string>();
  const sealed: { readonly path: string; readonly key: string; readonly value: object }[] = [];
  const days: MeasuredDay[] = [];
  const began = voters.map(({ since }) => since).sort()[0] as string;
  if (made.eve) sealed.push({ path: `days/${made.eve.date}`, key: `service-level/${made.eve.date}`, value: made.eve });
  for (const date of listDates(month).filter((each) => each >= began.slice(0, 10))) {
    const own = voters
      .filter((voter) => voteOn(date, voter))
      .map(({ prober, since, until }) => {
        const { text, head, lines } = createChain(prober, saidOn(prober.name, date));
        if (lines.length > 0) files.set(`results/${prober.name}/${date}.ndjson`, text);
        const results = lines.map((line) => JSON.parse(line) as ProbeResult);
        const vote = { name: prober.name, since, ...(until === undefined ? {} : { until }) };
        return { vote, results, entry: { ...vote, key: prober.verifierKey, lines: lines.length, head } };
      })
      .toSorted((one, other) => (one.vote.name < other.vote.name ? -1 : 1));
    days.push({ date, probers: own.map(({ vote, results }) => ({ ...vote, results })) });
    const value = sealDay({
      date,
      objectives: OBJECTIVES_VERSION,
      probers: own.map(({ entry }) => entry),
      root: computeResultsRoot(
        own.map(({ results }) => results),
        sha256,
      ),
    });
    if (value) sealed.push({ path: `days/${date}`, key: `service-level/${date}`, value });
  }
  const end = new Date(Date.parse(`${month}-01`) + 31 * DAY_MS).toISOString().slice(0, 7);
  const figures = monthFigures({
    days,
    from: began > `${month}-01T00:00Z` ? began : `${month}-01T00:00Z`,
    to: `${end}-01T00:00Z`,
    objectives: OBJECTIVES[OBJECTIVES_VERSION] as Objectives,
  });
  const value = sealMonth({ ...figures, month, objectives: OBJECTIVES_VERSION });
  sealed.push({ path: `months/${month}`, key: `service-level/${month}`, value });
  const entries = sealed.map(({ key, value: said }, number) =>
    canonicalJson({ key, kind: 'service-level', cause: 'day', number, time: `${end}-05T00:00:00.000Z`, value: said }),
  );
  for (const [number, proof] of createProofs(entries, log).entries()) {
    const { path, value: said } = sealed[number] as (typeof sealed)[number];
    files.set(`${path}.proof`, proof);
    files.set(`${path}.json`, `${JSON.stringify({ number, value: said }, null, 2)}\n`);
  }
  return { files, logKey: log.verifierKey, policy: `log ${log.verifierKey}\nquorum none\n` };
};
