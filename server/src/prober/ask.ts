import { CHECK_TIMEOUT_MS } from '@broker-transparency/service-level';
import { Agent, type Dispatcher, request } from 'undici';
import { version } from '../version.ts';
import type { ProbeResponse } from './answers.rule.ts';
import { CheckError } from './wrong.rule.ts';

/** A request. Without a body it is a GET. */
export interface CallRequest {
  readonly token?: string | undefined;
  readonly method?: 'POST' | 'PATCH';
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Maximum bytes of an answer. The largest is a page of the feed: at most 4 MB and one entry. */
const MOST_BYTES = 8 * 2 ** 20;

const readBounded = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new CheckError(`it answers more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Returns an error with a code only, since a message could contain text of the other side. */
const toCheckError = (error: unknown, late: boolean, timeoutMs: number): CheckError => {
  if (late) return new CheckError(`it gives no answer within ${Math.round(timeoutMs / 100) / 10} s`);
  if (error instanceof CheckError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  return new CheckError(`it cannot be asked (${typeof code === 'string' ? code : name})`);
};

/**
 * Creates a caller of a service with its own connection, so that a round begins like a new caller. It asks once,
 * follows no redirect, and bounds time and size of every answer.
 */
export const createCaller = (service: string) => {
  const agent = new Agent({ pipelining: 1, connections: 1, allowH2: false, maxHeaderSize: 16_384 });
  return {
    /** @throws CheckError */
    ask: async (path: string, asked: CallRequest = {}): Promise<ProbeResponse> => {
      const { token, body, method = body === undefined ? 'GET' : 'POST', timeoutMs = CHECK_TIMEOUT_MS } = asked;
      const ending = new AbortController();
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        ending.abort();
      }, timeoutMs);
      const headers = {
        'user-agent': `broker-rating-probe/${version}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': asked.contentType ?? 'application/json' }),
        ...asked.headers,
      };
      try {
        const sent = { dispatcher: agent, method, headers, body: body ?? null, signal: ending.signal };
        const answer = await request(`${service}${path}`, sent);
        answer.body.on('error', () => {}); // errors of a body that is not read to its end
        return { status: answer.statusCode, body: await readBounded(answer.body) };
      } catch (error) {
        throw toCheckError(error, isLate, timeoutMs);
      } finally {
        clearTimeout(timer);
      }
    },
    close: (): Promise<void> => agent.destroy(),
  };
};
export type ServiceCaller = ReturnType<typeof createCaller>;
