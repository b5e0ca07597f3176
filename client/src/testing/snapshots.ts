import type { SnapshotFile, SnapshotManifest } from '@broker-transparency/client/enterprise';
import { AGREEMENT_VERSION, PLANS } from '@broker-transparency/contract/enterprise';
import { ENTRY_KINDS } from '@broker-transparency/contract/record';
import { ERASURE_TERM } from '@broker-transparency/kernel';
import { canonicalJson } from '@broker-transparency/log';
import type { CallContext } from './call.ts';
import { type Customer, scopeChallenge } from './customers.ts';
import { toFeedEntry } from './log.ts';
import { CallRefusal } from './policy.ts';
import type { NumberedEntry, ScoredDay } from './record.ts';
import { sha256 } from './sha256.ts';
import type { State } from './state.ts';

/** Returns the last entry of each key up to a number, as far as something is published. */
const listLatest = ({ record }: State, number: number): NumberedEntry[] => {
  const latest = new Map(record.entries.slice(0, number + 1).map((entry) => [entry.key, entry]));
  return [...latest.values()].filter(({ value }) => value !== null).sort((a, b) => (a.key < b.key ? -1 : 1));
};

/**
 * Returns the day whose night has built a snapshot.
 * @throws CallRefusal `not_found`
 */
const requireNight = ({ record }: State, number: number): ScoredDay => {
  const day = record.days.find((one) => one.number === number);
  if (day === undefined)
    throw new CallRefusal('not_found', `There is no snapshot ${number}, or it is not kept any more: see the list.`);
  return day;
};

const buildSummary = (state: State, { number }: ScoredDay) => {
  const { time } = state.record.entries[number] as NumberedEntry;
  const { size, root } = state.log.head(number + 1);
  return { number, time, builtAt: time, entries: listLatest(state, number).length, tree: { size, root } };
};

/** Lists the snapshots, the newest first: one for each day. */
export const listSnapshots = (state: State) => state.record.days.map((day) => buildSummary(state, day)).reverse();

const compress = async (text: string): Promise<Uint8Array> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A file of a snapshot with its bytes. */
interface StoredFile {
  readonly file: SnapshotFile;
  readonly bytes: Uint8Array;
}

const buildFile = async (content: 'entries' | 'texts', kind: string, lines: readonly string[]): Promise<StoredFile> => {
  const bytes = await compress(lines.map((line) => `${line}\n`).join(''));
  const name = `${content}-${kind}-0001.ndjson.gz`;
  const form = { format: 'ndjson', compression: 'gzip', kind, lines: lines.length };
  return { bytes, file: { name, content, ...form, bytes: bytes.length, sha256: toHex(sha256(bytes)) } };
};

/** Builds the files of a snapshot: entries by kind, and the texts that are still public. */
const buildFiles = async (state: State, number: number): Promise<StoredFile[]> => {
  const latest = listLatest(state, number);
  const files: Promise<StoredFile>[] = [];
  for (const kind of ENTRY_KINDS) {
    const own = latest.filter((entry) => entry.kind === kind);
    if (own.length === 0) continue;
    files.push(
      buildFile(
        'entries',
        kind,
        own.map((entry) => canonicalJson(toFeedEntry(entry))),
      ),
    );
    const texts = own.flatMap(({ key }) => {
      const found = state.record.findTexts(key);
      return found === undefined ? [] : [canonicalJson({ key, texts: found })];
    });
    if (texts.length > 0) files.push(buildFile('texts', kind, texts));
  }
  return Promise.all(files);
};

/**
 * Answers `snapshots.get`.
 * @throws CallRefusal `not_found`
 */
export const readSnapshotManifest = async (
  customer: Customer,
  number: number,
  { state, at }: CallContext,
): Promise<SnapshotManifest> => {
  const summary = buildSummary(state, requireNight(state, number));
  const counts: Record<string, number> = {};
  for (const { kind } of listLatest(state, number)) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    ...summary,
    hashes: state.log.head(number + 1).hashes,
    signed: await state.log.cover(number + 1, at),
    counts,
    files: (await buildFiles(state, number)).map(({ file }) => file),
    terms: { agreement: AGREEMENT_VERSION, section: PLANS[customer.plan].terms.section, erasure: ERASURE_TERM },
  };
};

/**
 * Returns a file of a snapshot.
 * @throws CallRefusal `not_found`, `insufficient_scope`
 */
export const readSnapshotFile = async (
  { scopes }: Pick<Customer, 'scopes'>,
  number: number,
  name: string,
  state: State,
): Promise<Uint8Array> => {
  requireNight(state, number);
  const found = (await buildFiles(state, number)).find(({ file }) => file.name === name);
  if (found === undefined)
    throw new CallRefusal('not_found', `Snapshot ${number} has no file ${name}: its manifest lists them.`);
  if (found.file.content === 'texts' && !scopes.includes('texts:read'))
    throw new CallRefusal(
      'insufficient_scope',
      'Files with texts need the scope "texts:read".',
      scopeChallenge('texts:read'),
    );
  return found.bytes;
};
