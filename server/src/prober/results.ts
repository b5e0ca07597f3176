import { mkdir, open, readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { toBase64 } from '@broker-transparency/contract/log';
import { formatResult, hashOfResult, ProbeResult, signedText } from '@broker-transparency/contract/service-level';
import type { LogKey } from '../ledger/log/keys.ts';
import { sha256 } from '../platform/sha256.rule.ts';
import { readIfThere, syncFolder } from './files.ts';

/** Days for which a prober keeps its files, as the service does. */
export const KEPT_DAYS = 400;

const NAME = /^(\d{4}-\d{2}-\d{2})\.ndjson$/;

/** What a prober saw in a minute, before it is chained and signed. */
export type Seen = Omit<ProbeResult, 'prober' | 'previous' | 'signature'>;

/** Returns the result in a line; undefined: it has none, such as after a power cut. */
const resultIn = (line: string): ProbeResult | undefined => {
  try {
    return ProbeResult.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
};

/** Returns how much of a file is whole lines with results at its end. What was not written to its end never counted. */
const wholePart = (text: string): { readonly kept: string; readonly last: ProbeResult | undefined } => {
  let kept = text.slice(0, text.lastIndexOf('\n') + 1);
  for (;;) {
    if (kept === '') return { kept, last: undefined };
    const begin = kept.lastIndexOf('\n', kept.length - 2) + 1;
    const last = resultIn(kept.slice(begin, -1));
    if (last) return { kept, last };
    kept = kept.slice(0, begin);
  }
};

/**
 * The files of a prober, one a UTC day. Each line is signed, so that all lines up to any one can be delivered; it is on
 * the disk before it is told to anybody.
 */
export const openResults = async (dir: string, key: LogKey) => {
  const folder = join(dir, 'results');
  await mkdir(folder, { recursive: true });
  const fileOf = (date: string): string => join(folder, `${date}.ndjson`);
  /** Hash of the last line of each day that was looked at; null: it has none. */
  const heads = new Map<string, string | null>();

  const headOf = async (date: string): Promise<string | null> => {
    const known = heads.get(date);
    if (known !== undefined) return known;
    const text = (await readIfThere(fileOf(date))) ?? '';
    const { kept, last } = wholePart(text);
    if (kept !== text) await truncate(fileOf(date), Buffer.byteLength(kept));
    const head = last ? hashOfResult(last, sha256) : null;
    heads.set(date, head);
    return head;
  };

  return {
    /** Adds what was seen to the file of its day. */
    add: async (seen: Seen): Promise<ProbeResult> => {
      const date = seen.minute.slice(0, 10);
      const previous = await headOf(date);
      const said: ProbeResult = { ...seen, prober: key.name, previous };
      const signature = toBase64(key.sign(new TextEncoder().encode(signedText(said))));
      const result: ProbeResult = { ...said, signature };
      heads.delete(date); // if this fails half-way, the file is looked at again
      const handle = await open(fileOf(date), 'a');
      try {
        await handle.appendFile(`${formatResult(result)}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      if (previous === null) await syncFolder(folder);
      heads.set(date, hashOfResult(result, sha256));
      return result;
    },
    /** The days that have a file, in order. */
    days: async (): Promise<string[]> => (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).sort(),
    /** The whole lines of a day, without their ends. */
    lines: async (date: string): Promise<string[]> => {
      await headOf(date);
      return ((await readIfThere(fileOf(date))) ?? '').split('\n').slice(0, -1);
    },
    /** The results of a day. */
    read: async (date: string): Promise<ProbeResult[]> =>
      ((await readIfThere(fileOf(date))) ?? '').split('\n').flatMap((line) => resultIn(line) ?? []),
    remove: (date: string): Promise<void> => rm(fileOf(date), { force: true }),
  };
};
export type Results = Awaited<ReturnType<typeof openResults>>;
