import { readText } from './body.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type BodyReader, createPreparer, type PreparedRequest } from './request.ts';
import { send } from './send.ts';
import { checkLimits, createSettings, type Settings } from './settings.ts';

/**
 * Options of the requests for files without a client. Limits are those of each file.
 * @example const options: TransferOptions = { signal: AbortSignal.timeout(600_000), retries: 10 };
 */
export interface TransferOptions
  extends Omit<CallOptions, 'baseUrl' | 'token'>,
    Pick<ClientOptions, 'fetch' | 'hooks'> {
  /** Time limit for a file including its retries, in milliseconds; 300 000 by default. `Infinity` means no limit. */
  readonly timeoutMs?: number | undefined;
  /** Time limit for each try, in milliseconds; 30 000 by default. `Infinity` means no limit. */
  readonly tryTimeoutMs?: number | undefined;
  /** Maximum number of retries of a file, 5 by default. */
  readonly retries?: number | undefined;
}

/** The place of files, and the options of requests for them. */
export interface FileSource {
  /** Name of the call in hooks. */
  readonly call: string;
  readonly settings: Settings;
  /** Path of the API that has the files, after the base address of the settings. */
  readonly api: string;
  readonly options: CallOptions;
}

const FILE_LIMITS = {
  timeoutMs: 300_000,
  tryTimeoutMs: 30_000,
  retries: 5,
  maxWaitMs: 65_000,
  maxBytes: 64_000_000,
};

/** Returns settings with which a server sends files of any type. */
export const acceptFiles = (settings: Settings): Settings => ({
  ...settings,
  headers: { ...settings.headers, accept: '*/*' },
  store: undefined,
});

/**
 * Returns the parts of a log's address. The error message does not quote it, because it may contain a password.
 * @throws TypeError
 */
const parseLogUrl = (url: string): URL => {
  try {
    const parsed = new URL(url);
    if (/^https?:\/\/[^/]/i.test(url) && parsed.href === parsed.origin + parsed.pathname) return parsed;
  } catch {
    // refused below
  }
  throw new TypeError('url must be the http or https address of a log, without credentials, query or fragment');
};

/**
 * Returns a source of files that needs no client. Its requests wait for their budget.
 * @param url the address below which the files are
 * @throws TypeError, RangeError for options that cannot be used
 */
export const createFileSource = (call: string, url: string, { signal, ...options }: TransferOptions): FileSource => {
  const { origin, href } = parseLogUrl(url);
  const settings = createSettings({ ...options, baseUrl: origin, store: false, pace: true });
  const base = href.replace(/\/+$/, '');
  return {
    call,
    api: '',
    settings: acceptFiles({ ...settings, base, limits: checkLimits(options, FILE_LIMITS) }),
    options: { signal },
  };
};

/** Returns the request for a file, by its path with a slash at its beginning, which is encoded already. */
export const prepareFile = (
  { call, settings, api, options }: FileSource,
  path: string,
  readBody: BodyReader,
): PreparedRequest => ({ ...createPreparer(call, { api, path }, settings)([options]), readBody });

/** Reads a body as bytes. Returns undefined if it is longer than `maxBytes`, as soon as this is known. */
const readBytes = async ({ body }: Response, maxBytes: number): Promise<Uint8Array | undefined> => {
  const reader = body?.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let left = maxBytes; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value as Uint8Array<ArrayBuffer>);
    left -= value.length;
    if (left >= 0) continue;
    reader.cancel().catch(() => {});
    return undefined;
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
};

/** Stands for a file that does not exist. */
const NO_FILE = {};

const readFileBody: BodyReader = async (response, maxBytes) => {
  if (response.ok) return readBytes(response, maxBytes);
  if (response.status !== 404) return readText(response, maxBytes);
  await response.body?.cancel();
  return NO_FILE;
};

/**
 * Requests a whole file. Returns undefined if there is none.
 * @throws RequestError, or the reason of the signal
 */
export const requestFile = async (source: FileSource, path: string): Promise<Uint8Array | undefined> => {
  const { data } = await send(prepareFile(source, path, readFileBody), source.settings);
  return data === NO_FILE ? undefined : (data as Uint8Array);
};
