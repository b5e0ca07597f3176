import { canonicalJson } from '@broker-transparency/log';
import type { ChangesPage, FeedEntry, FeedTexts } from '../generated/enterprise.ts';
import { isCommitted } from '../verify/commitment.ts';
import { hashLeaf, hashText } from '../verify/platform.ts';
import type { Head } from './checkpoint.ts';
import { ProofError } from './error.ts';
import type { KeyTexts, ReplicaEntry, ReplicaPosition, TextsOfKey } from './replica-store.ts';
import { computeTreeRoot, growTree, type ReplicaTree } from './tree.ts';

/** A page that proves itself. */
export interface ProvenPage {
  readonly tree: ReplicaTree;
  readonly entries: readonly ReplicaEntry[];
}

const formatRange = ({ entries }: ChangesPage): string =>
  entries.length === 0 ? 'no entries' : `the entries ${entries[0]?.number} to ${entries.at(-1)?.number}`;

/** @throws ProofError that names what is missing, or where the page belongs */
const requireRange = (page: ChangesPage, next: number): void => {
  const { entries, through, tree, isFiltered, end } = page;
  if (isFiltered) throw new ProofError('page_filtered', 'the page is filtered: only the whole feed proves itself');
  const first = entries[0]?.number ?? through + 1;
  if (page.after + 1 < next || first < next)
    throw new ProofError('page_replayed', `the page behind ${next - 1} has ${formatRange(page)}, which came before`);
  if (page.after + 1 > next)
    throw new ProofError('page_swapped', `the page behind ${next - 1} is another one: that behind ${page.after}`);
  const numbers = new Set(entries.map(({ number }) => number));
  for (let number = next; number <= through; number++)
    if (!numbers.has(number))
      throw new ProofError(
        'entry_dropped',
        `the page behind ${next - 1} lacks entry ${number} of ${formatRange(page)}`,
      );
  if (tree.size > through + 1)
    throw new ProofError('entry_dropped', `the page lacks what its tree has behind ${through}, up to ${tree.size - 1}`);
  if (tree.size <= through || entries.some(({ number }, at) => number !== next + at))
    throw new ProofError('page_altered', `${formatRange(page)} are not in their order, or more than the tree has`);
  if (entries.length > 0 && entries.at(-1)?.last !== true)
    throw new ProofError('page_altered', `${formatRange(page)} end in the middle of a change`);
  if (end < through) throw new ProofError('page_altered', `the page through ${through} says that the end is ${end}`);
};

/** Returns the canonical JSON of a value that is too long for the log. @throws ProofError if it is another one */
const checkLongValue = async ({ number, valueHash }: FeedEntry, value: unknown): Promise<string> => {
  const text = value === undefined ? '' : canonicalJson(value);
  if ((await hashText(text)) === valueHash) return text;
  throw new ProofError('value_altered', `the value of entry ${number} is not the one whose hash it has`);
};

/** Returns an entry as it is stored. @throws ProofError if its long value is another one */
export const toStoredEntry = async (entry: FeedEntry, line: string, value: unknown): Promise<ReplicaEntry> => {
  const { number, key, kind, valueHash } = entry;
  const long = valueHash === undefined ? undefined : await checkLongValue(entry, value);
  return { number, key, kind, line, isGone: entry.value === null, ...(long === undefined ? {} : { value: long }) };
};

/** @throws ProofError if the tree's root at a size differs from the signed one */
const requireHead = async ({ size, root }: Head, known: ReplicaTree, leaves: readonly Uint8Array[]): Promise<void> => {
  if ((await computeTreeRoot(await growTree(known, leaves.slice(0, size - known.size)))) === root) return;
  throw new ProofError('root_not_continued', `the first ${size} entries are not those that were signed`);
};

/**
 * Proves a page: its entries are the next ones, and lead from the known tree to the one that the page names.
 * @throws ProofError
 */
export const provePage = async (
  page: ChangesPage,
  { tree: known, ahead }: Pick<ReplicaPosition, 'tree' | 'ahead'>,
): Promise<ProvenPage> => {
  requireRange(page, known.size);
  const lines = page.entries.map((entry) => canonicalJson(entry));
  const leaves = await Promise.all(lines.map(hashLeaf));
  const tree = await growTree(known, leaves);
  if ((await computeTreeRoot(tree)) !== page.tree.root)
    throw new ProofError('page_altered', `${formatRange(page)} do not lead to the root that their page names`);
  if (ahead && ahead.size <= tree.size) await requireHead(ahead, known, leaves);
  const entries: ReplicaEntry[] = [];
  for (const [at, entry] of page.entries.entries())
    entries.push(await toStoredEntry(entry, lines[at] as string, page.values[entry.number]));
  return { tree, entries };
};

/** States of a review whose texts are public; other values have no state. */
const SHOWN_STATES: readonly unknown[] = ['published', 'unverified', undefined];

/** Returns an entry's commitments to public texts, by field. */
export const readCommitments = (cause: string, value: unknown): Readonly<Record<string, string>> => {
  const { texts, state } = (value ?? {}) as { texts?: Record<string, string>; state?: string };
  return cause === 'erasure' || !SHOWN_STATES.includes(state) ? {} : (texts ?? {});
};

/** Returns the public texts that an entry commits to; null if there are none, so that kept texts are deleted. */
export const selectTexts = async (
  entry: FeedEntry,
  value: unknown,
  given: TextsOfKey = {},
): Promise<TextsOfKey | null> => {
  const kept: Record<string, TextsOfKey[string]> = {};
  for (const [field, hash] of Object.entries(readCommitments(entry.cause, value))) {
    const text = Object.hasOwn(given, field) ? given[field] : undefined;
    if (text && (await isCommitted(text, hash))) kept[field] = text;
  }
  return Object.keys(kept).length === 0 ? null : kept;
};

/** Returns the value of an entry, also if it is too long for the log. */
const findValue = ({ values }: ChangesPage, { number, value, valueHash }: FeedEntry): unknown =>
  valueHash === undefined ? value : values[number];

/** Returns for each key on a page the public fields of its last entry there whose texts are missing. */
export const findMissingFields = (
  page: ChangesPage,
  given: readonly KeyTexts[],
): ReadonlyMap<string, readonly string[]> => {
  const textsOfKey = new Map(given.map(({ key, texts }) => [key, texts ?? {}]));
  return new Map(
    page.entries.map((entry) => {
      const fields = Object.keys(readCommitments(entry.cause, findValue(page, entry)));
      return [entry.key, fields.filter((field) => !Object.hasOwn(textsOfKey.get(entry.key) ?? {}, field))];
    }),
  );
};

/**
 * Returns the change of texts for each key on a page. A page has the currently public texts: other texts that an older
 * entry commits to are no longer public.
 */
export const collectTexts = async (page: ChangesPage): Promise<KeyTexts[]> => {
  const last = new Map(page.entries.map((entry) => [entry.key, entry]));
  const texts: FeedTexts = page.texts ?? {};
  const all: KeyTexts[] = [];
  for (const [key, entry] of last) {
    const value = findValue(page, entry);
    all.push({ key, texts: await selectTexts(entry, value, Object.hasOwn(texts, key) ? texts[key] : {}) });
  }
  return all;
};
