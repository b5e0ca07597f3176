import { mkdir, open, readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { toBase64 } from '@broker-transparency/log';
import { formatResult, hashResult, ProbeResult, signedText } from '@broker-transparency/service-level';
import type { LogKey } from '../ledger/log/keys.ts';
import { sha256 } from '../platform/sha256.rule.ts';
import { readIfThere, syncFolder } from './files.ts';

/** Days for which a prober keeps its files, as the service does. */
export const KEPT_DAYS = 400;

const NAME = /^(\d{4}-\d{2}-\d{2})\.ndjson$/;

/** A prober's result of a minute, before it is chained and signed. */
export type UnsignedResult = Omit<ProbeResult, 'prober' | 'previous' | 'signature'>;

/** Returns the result in a line; undefined if it has none, for example after a power cut. */
const parseResult = (line: string): ProbeResult | undefined => {
  try {
    return ProbeResult.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
};

/**
 * Returns the part of a file up to its last whole line with a result, and that result. An incomplete line never
 * counted.
 */
const findCompletePart = (text: string): { readonly kept: string; readonly last: ProbeResult | undefined } => {
  let kept = text.slice(0, text.lastIndexOf('\n') + 1);
  for (;;) {
    if (kept === '') return { kept, last: undefined };
    const begin = kept.lastIndexOf('\n', kept.length - 2) + 1;
    const last = parseResult(kept.slice(begin, -1));
    if (last) return { kept, last };
    kept = kept.slice(0, begin);
  }
};

/**
 * The files of a prober, one a UTC day. Each line is signed, so that the lines up to any of them can be delivered. A
 * line is on disk before it is reported.
 */
export const openResults = async (dir: string, key: LogKey) => {
  const folder = join(dir, 'results');
  await mkdir(folder, { recursive: true });
  const toFile = (date: string): string => join(folder, `${date}.ndjson`);
  /** Hash of the last line of each day that was read; null if the day has none. */
  const heads = new Map<string, string | null>();

  const readHead = async (date: string): Promise<string | null> => {
    const known = heads.get(date);
    if (known !== undefined) return known;
    const text = (await readIfThere(toFile(date))) ?? '';
    const { kept, last } = findCompletePart(text);
    if (kept !== text) await truncate(toFile(date), Buffer.byteLength(kept));
    const head = last ? hashResult(last, sha256) : null;
    heads.set(date, head);
    return head;
  };

  return {
    /** Adds a result to the file of its day. */
    add: async (seen: UnsignedResult): Promise<ProbeResult> => {
      const date = seen.minute.slice(0, 10);
      const previous = await readHead(date);
      const said: ProbeResult = { ...seen, prober: key.name, previous };
      const signature = toBase64(key.sign(new TextEncoder().encode(signedText(said))));
      const result: ProbeResult = { ...said, signature };
      heads.delete(date); // if this fails half-way, the file is read again
      const handle = await open(toFile(date), 'a');
      try {
        await handle.appendFile(`${formatResult(result)}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      if (previous === null) await syncFolder(folder);
      heads.set(date, hashResult(result, sha256));
      return result;
    },
    /** Returns the days that have a file, in order. */
    days: async (): Promise<string[]> => (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).sort(),
    /** Returns the whole lines of a day, without line feeds. */
    lines: async (date: string): Promise<string[]> => {
      await readHead(date);
      return ((await readIfThere(toFile(date))) ?? '').split('\n').slice(0, -1);
    },
    /** Returns the results of a day. */
    read: async (date: string): Promise<ProbeResult[]> =>
      ((await readIfThere(toFile(date))) ?? '').split('\n').flatMap((line) => parseResult(line) ?? []),
    remove: (date: string): Promise<void> => rm(toFile(date), { force: true }),
  };
};
export type ProberResults = Awaited<ReturnType<typeof openResults>>;
