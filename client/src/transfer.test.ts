import type { ServerResponse } from 'node:http';
import vectors from '@broker-transparency/log/vectors.json' with { type: 'json' };
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { enterprise, memoryReplica, readFeed, readSnapshot, replica } from './enterprise.ts';
import { type CallOptions, ConnectionError, createClient, type Hooks, TimeoutError } from './index.ts';
import { audit, DownloadError, downloadMonth } from './verify/node.ts';

const { twoOf3: POLICY } = vectors.policies;

interface ReaderOptions extends Omit<CallOptions, 'baseUrl' | 'token'> {
  readonly hooks?: Hooks | undefined;
}

const connect = (baseUrl: string, hooks?: Hooks) => createClient({ baseUrl, hooks, with: [enterprise({ key: 'k' })] });

const readAll = async (pieces: AsyncIterable<unknown>): Promise<unknown[]> => {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};

/** Everything that reads files or many answers, by its name in hooks. */
const READERS: readonly (readonly [string, string, (baseUrl: string, given: ReaderOptions) => Promise<unknown>])[] = [
  [
    'audit()',
    'audit',
    (baseUrl, given) => audit({ url: `${new URL(baseUrl).origin}/transparency/v1/log/a`, policy: POLICY, ...given }),
  ],
  [
    'downloadMonth()',
    'downloadMonth',
    (baseUrl, given) => readAll(downloadMonth({ baseUrl, month: '2026-01', ...given })),
  ],
  [
    'readLogFile()',
    'enterprise.files.readLogFile',
    (baseUrl, { hooks, ...options }) =>
      connect(baseUrl, hooks).enterprise.files.readLogFile('a', 'tile/0/000', options),
  ],
  [
    'readSnapshotFile()',
    'enterprise.files.readSnapshotFile',
    (baseUrl, { hooks, ...options }) =>
      readAll(connect(baseUrl, hooks).enterprise.files.readSnapshotFile(1, 'a.gz', options)),
  ],
  [
    'readSnapshot()',
    'enterprise.snapshots.list',
    (baseUrl, { hooks, ...options }) => readAll(readSnapshot(connect(baseUrl, hooks), 'latest', options)),
  ],
  [
    'readFeed()',
    'enterprise.feed.changes',
    (baseUrl, { hooks, ...options }) => readAll(readFeed(connect(baseUrl, hooks), { wait: 0, ...options })),
  ],
  [
    'replica()',
    'enterprise.snapshots.list',
    (baseUrl, { hooks, ...options }) =>
      readAll(replica({ client: connect(baseUrl, hooks), store: memoryReplica(), policy: POLICY, ...options })),
  ],
];

/** Returns the error of a request behind an error. */
const findRequestError = (error: unknown): unknown => (error instanceof DownloadError ? error.cause : error);

const rejected = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => expect.unreachable('it was answered'),
    (error) => error,
  );

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(READERS)('%s', (_, call, read) => {
  test('ends in the time of a call if nobody answers', async () => {
    const { baseUrl } = await serve(() => {});
    const began = performance.now();
    const error = findRequestError(await rejected(read(baseUrl, { timeoutMs: 150, tryTimeoutMs: 60, retries: 9 })));
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(error).toBeInstanceOf(TimeoutError);
  });

  test('tries no more often than its retries say', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { baseUrl, requests } = await serve((response) => response.destroy());
    expect(findRequestError(await rejected(read(baseUrl, { retries: 2 })))).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(3);
  });

  test('ends with the reason of its signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const { baseUrl } = await serve(() => controller.abort(reason));
    expect(await rejected(read(baseUrl, { signal: controller.signal }))).toBe(reason);
  });

  test('sends its headers, calls the hooks and follows no redirect to another server', async () => {
    const other = await serve();
    const location = new URL('/api/v1/x', other.baseUrl).href;
    const { baseUrl, requests } = await serve((response) => response.writeHead(308, { location }).end());
    const calls: string[] = [];
    const hooks: Hooks = {
      request: (event) => {
        calls.push(event.call);
        event.headers['x-hook'] = '1';
      },
    };
    await rejected(read(baseUrl, { headers: { 'x-own': '2' }, hooks }));
    expect(calls).toEqual([call]);
    expect(requests[0]?.headers).toMatchObject({ 'x-own': '2', 'x-hook': '1' });
    expect(other.requests).toEqual([]);
  });
});

describe('a file of a snapshot', () => {
  const FILE = 'the bytes of a file';
  const begin = (response: ServerResponse, from: number) =>
    response.writeHead(from > 0 ? 206 : 200, { etag: '"1"', 'content-length': FILE.length - from });

  const readSnapshotFile = async (baseUrl: string, options: CallOptions) => {
    const { files } = connect(baseUrl).enterprise;
    const pieces = (await readAll(files.readSnapshotFile(1, 'a.gz', options))) as Uint8Array[];
    return Buffer.concat(pieces).toString();
  };

  test('reads a file for as long as it comes, even if that takes longer than the call has', async () => {
    const { baseUrl, requests } = await serve(async (response) => {
      begin(response, 0);
      for (const byte of FILE) {
        response.write(byte);
        await new Promise((next) => setTimeout(next, 20));
      }
      response.end();
    });
    const began = performance.now();
    expect(await readSnapshotFile(baseUrl, { timeoutMs: 300, tryTimeoutMs: 300, retries: 0 })).toBe(FILE);
    expect(performance.now() - began).toBeGreaterThan(300);
    expect(requests).toHaveLength(1);
  });

  test('continues a file after a silence, with all retries anew after each piece', async () => {
    const { baseUrl, requests } = await serve((response, { headers }) => {
      const from = Number(/\d+/.exec(headers.range ?? '0')?.[0]);
      begin(response, from).write(FILE.slice(from, from + 5)); // and then nothing
    });
    expect(await readSnapshotFile(baseUrl, { timeoutMs: 10_000, tryTimeoutMs: 300, retries: 0 })).toBe(FILE);
    expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=5-', 'bytes=10-', 'bytes=15-']);
    expect(requests[1]?.headers['if-range']).toBe('"1"');
  });

  test('gives up on a file if no piece comes any more', async () => {
    const { baseUrl } = await serve((response, { headers }) => {
      if (headers.range) response.flushHeaders();
      else begin(response, 0).write(FILE.slice(0, 5));
    });
    const error = await rejected(readSnapshotFile(baseUrl, { tryTimeoutMs: 60, retries: 1 }));
    expect(error).toMatchObject({ name: 'TimeoutError', timeoutMs: 60 });
  });

  test('refuses a file that has changed since its first bytes', async () => {
    const { baseUrl } = await serve((response, { headers }) => {
      begin(response, 0).write('other', () => (headers.range ? response.end() : response.destroy()));
    });
    expect(await rejected(readSnapshotFile(baseUrl, {}))).toMatchObject({ code: 'file_altered' });
  });
});

describe('a file of the log', () => {
  test('gives undefined for a file that does not exist, and calls no error hook', async () => {
    const { baseUrl } = await serve((response) => sendJson(response, 404, { code: 'not_found' }));
    const error = vi.fn();
    expect(await connect(baseUrl, { error }).enterprise.files.readLogFile('a', 'tile/0/000')).toBe(undefined);
    expect(error).not.toHaveBeenCalled();
  });

  test('refuses a file of the log with more bytes than maxBytes', async () => {
    const { baseUrl } = await serve((response) => response.end('12345'));
    const read = (maxBytes: number) => connect(baseUrl).enterprise.files.readLogFile('a', 'checkpoint', { maxBytes });
    expect(await read(5)).toEqual(new TextEncoder().encode('12345'));
    expect(await rejected(read(4))).toMatchObject({ name: 'InvalidResponseError' });
  });

  test.each(['../../../enterprise/v1/account', 'tile//000', '.'])('refuses the path %s', async (path) => {
    const { baseUrl, requests } = await serve();
    expect(await rejected(connect(baseUrl).enterprise.files.readLogFile('a', path))).toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });

  test('asks for a file of the log without the key of the customer', async () => {
    const { baseUrl, requests } = await serve((response) => response.end('x'));
    await connect(baseUrl).enterprise.files.readLogFile('a', 'checkpoint');
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
    expect(requests[0]?.url).toBe('/transparency/v1/log/a/checkpoint');
  });
});

test.each([
  'nowhere',
  'ftp://log.example/a',
  'https://',
  'https://log.example:port/a',
  'https://ann:s3cret@log.example/a',
  'https://ann@log.example/a',
  'https://log.example/a?key=s3cret',
  'https://log.example/a#s3cret',
])('audit() refuses %s as the address of a log, and does not show it', async (url) => {
  expect(await rejected(audit({ url, policy: POLICY }))).toMatchObject({
    name: 'TypeError',
    message: 'url must be the http or https address of a log, without credentials, query or fragment',
  });
});

test.each([
  [
    'audit()',
    () => audit({ url: 'https://log.example/a', policy: POLICY, timeout: 5 } as never),
    /^there is no option "timeout": did you mean "timeoutMs"/,
  ],
])('%s refuses options that it cannot use: %#', async (_, call, message) => {
  expect(await rejected(call())).toMatchObject({ name: 'TypeError', message: expect.stringMatching(message) });
});
