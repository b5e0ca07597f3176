import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeBundle, MOST_ENTRY, TILE_WIDTH, tilePath, tileWidth } from '@broker-transparency/log';
import { DomainError } from '../../platform/domain-error.ts';
import { fetchDocument } from '../../platform/outbound/fetch.ts';
import { OutboundError, operatorRules } from '../../platform/outbound/rules.ts';
import { readKeptBundle, readKeptText, readKeptValue } from './kept-log.ts';

/** A copy of the log in a folder or at an address. Its content is unverified. */
export interface LogCopy {
  /** Its folder or address, for messages. */
  readonly where: string;
  /** True if a service may serve it, for example one on the same database. */
  readonly isServed: boolean;
  /** Returns the signed checkpoint; undefined if there is none. */
  readonly readText: () => Promise<string | undefined>;
  /** Returns the entries of a bundle, in a log of this size; undefined if they are missing. */
  readonly readBundle: (index: number, size: number) => Promise<readonly Uint8Array[] | undefined>;
  /** Returns the value of an entry that has only the hash of its value. */
  readonly readValue: (number: number) => Promise<string | undefined>;
  /** True if a backup made the copy, so that more may have been signed since. */
  readonly isOld: () => Promise<boolean>;
}

/** Name of the file that marks a copy as made by a backup. */
export const OF_BACKUP = 'made-by-backup';

/** Returns the copy of the log in a folder. */
export const folderCopy = (folder: string): LogCopy => ({
  where: folder,
  isServed: false,
  readText: () => readKeptText(folder),
  readBundle: (index, size) => readKeptBundle(folder, index, size),
  readValue: (number) => readKeptValue(folder, number),
  isOld: () =>
    access(join(folder, OF_BACKUP)).then(
      () => true,
      () => false,
    ),
});

/** Time limit of a request, in milliseconds. */
const TIMEOUT_MS = 10_000;
const MAX_CHECKPOINT = 65_536;
const MAX_BUNDLE = TILE_WIDTH * (2 + MOST_ENTRY);
/** MongoDB stores no longer value. */
const MAX_VALUE = 16 << 20;

/** Returns the copy at the address of a log (c2sp.org/tlog-tiles). */
export const publicCopy = (address: string): LogCopy => {
  const base = address.replace(/\/+$/, '');
  const read = async (path: string, maxBytes: number): Promise<Buffer | undefined> => {
    try {
      const { status, body } = await fetchDocument(`${base}/${path}`, {
        headers: { 'cache-control': 'no-cache' },
        rules: operatorRules(new URL(base)),
        maxBytes,
        timeoutMs: TIMEOUT_MS,
      });
      if (status === 404) return undefined;
      if (status !== 200) throw new OutboundError(`answers ${status}`);
      return body;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new DomainError('unavailable', `${base}/${path} ${error.message}.`, { cause: error });
    }
  };
  return {
    where: base,
    isServed: true,
    readText: async () => (await read('checkpoint', MAX_CHECKPOINT))?.toString(),
    readBundle: async (index, size) => {
      const path = tilePath({ level: 'entries', index, width: tileWidth('entries', index, size) });
      const bundle = await read(path, MAX_BUNDLE);
      return bundle && decodeBundle(bundle);
    },
    readValue: async (number) => (await read(`value/${number}`, MAX_VALUE))?.toString(),
    isOld: async () => false,
  };
};
