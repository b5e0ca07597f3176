import { toBase64 } from '@broker-transparency/log';

/** A signed checkpoint that covers a tree. */
export interface CoveringPart {
  readonly checkpoint: string;
  readonly size: number;
  readonly consistency: readonly Uint8Array[];
}

/** The parts of a page. */
export interface PageParts {
  readonly after: number;
  readonly through: number;
  readonly isFiltered: boolean;
  readonly entries: readonly { readonly number: number; readonly text: string; readonly value: string | undefined }[];
  /** Undefined if the caller may not read texts. */
  readonly texts: readonly { readonly _id: string; readonly texts: unknown }[] | undefined;
  readonly tree: { readonly size: number; readonly root: Uint8Array };
  readonly signed: CoveringPart | undefined;
  readonly end: number;
}

/** Returns a signed checkpoint as the contract has it; null if there is none. */
export const coveringView = (signed: CoveringPart | undefined) =>
  signed ? { ...signed, consistency: signed.consistency.map(toBase64) } : null;

const object = (fields: readonly (readonly [name: string, json: string])[]): string =>
  `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

/**
 * Returns the JSON of a page. Each element of `entries` is the exact text of the entry, as are values, so that a caller
 * can hash them without canonical JSON.
 */
export const pageText = ({ entries, texts, tree, signed, ...page }: PageParts): string =>
  object([
    ['after', String(page.after)],
    ['through', String(page.through)],
    ['isFiltered', String(page.isFiltered)],
    ['entries', `[${entries.map(({ text }) => text).join(',')}]`],
    ['values', object(entries.flatMap(({ number, value }) => (value === undefined ? [] : [[`${number}`, value]])))],
    ...(texts ? [['texts', object(texts.map((one) => [one._id, JSON.stringify(one.texts)]))] as const] : []),
    ['tree', JSON.stringify({ size: tree.size, root: toBase64(tree.root) })],
    ['signed', JSON.stringify(coveringView(signed))],
    ['end', String(page.end)],
  ]);
