import { findFile } from '../audit/files.ts';
import { resolveBase } from '../base.ts';
import { createFileSource, type TransferOptions } from '../transfer.ts';
import { parseDay } from './day.ts';
import { resultsPath } from './files.ts';
import { listMonthDates } from './months.ts';

/** The source of the download of a month. Limits are those of each file. */
export interface DownloadOptions extends TransferOptions {
  /** `YYYY-MM` */
  readonly month: string;
  /** Address of the service, as `createClient` takes it, such as `https://brokers.example`. */
  readonly baseUrl: string;
}

/** A file of a month's folder; without a text: why the service does not have it. */
export type DownloadedFile =
  | { readonly path: string; readonly text: string; readonly why?: undefined }
  | { readonly path: string; readonly text?: undefined; readonly why: string };

interface DownloadAnswer {
  readonly value?: unknown;
  readonly proof?: unknown;
}

const parsed = (text: string): DownloadAnswer | undefined => {
  try {
    return JSON.parse(text) as DownloadAnswer;
  } catch {
    return undefined;
  }
};

/**
 * Downloads the files that {@link recomputeMonth} needs: entries with their proofs, and probers' signed results. It
 * retries while the service is busy.
 * @throws DownloadError if the service cannot be read
 * @throws TypeError if `baseUrl` is no address, RangeError if the month is none or a limit is out of range
 * @example for await (const { path, text } of downloadMonth({ month: '2026-10', baseUrl })) console.log(path, text?.length);
 */
export async function* downloadMonth({ month, baseUrl, ...options }: DownloadOptions): AsyncGenerator<DownloadedFile> {
  const url = `${resolveBase(baseUrl)}/transparency/v1/service-level`;
  const source = createFileSource('downloadMonth', url, options);
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await findFile(source, `/${path}`);
    return bytes && new TextDecoder().decode(bytes);
  };
  async function* entry(path: string): AsyncGenerator<DownloadedFile, unknown> {
    const text = await read(path);
    if (text === undefined) {
      yield { path: `${path}.proof`, why: 'the record has no such entry' };
      return undefined;
    }
    const answer = parsed(text);
    yield { path: `${path}.json`, text };
    yield typeof answer?.proof === 'string'
      ? { path: `${path}.proof`, text: answer.proof }
      : { path: `${path}.proof`, why: 'no signed checkpoint covers the entry yet: ask again in a minute' };
    return answer?.value;
  }
  const { eve, dates } = listMonthDates(month);
  for (const date of [eve, ...dates]) {
    const day = parseDay(yield* entry(`days/${date}`), date);
    if (date === eve) continue; // it tells who had a vote when the month began
    for (const { name, lines } of day?.probers ?? []) {
      if (lines === 0) continue;
      const path = resultsPath(name, date);
      const text = await read(`results/${name}/${date}`);
      yield text === undefined ? { path, why: 'the service does not have it' } : { path, text };
    }
  }
  yield* entry(`months/${month}`);
}
