import { type Delivery, type VerificationKeys, verifyWebhook, WebhookError, type WebhookEvent } from './webhook.ts';

/**
 * The accepted keys, and the handling of events.
 * @example const options: WebhookOptions = { secrets: ['whsec_…'], onEvent: ({ data }) => queue.push(data.number) };
 */
export interface WebhookOptions extends VerificationKeys {
  /**
   * Called for each event. If it throws, the answer is 500, and the event is sent again. It also arrives more than once
   * if an answer is lost.
   */
  readonly onEvent: (event: WebhookEvent, delivery: Delivery) => unknown;
}

/** A request of Node or Express. */
interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

/** An answer of Node or Express. */
interface NodeResponse {
  statusCode: number;
  end(text?: string): unknown;
}

/**
 * Receives events, in the two shapes that frameworks know.
 * @example app.post('/hook', webhookHandler({ secrets, onEvent }).node);
 */
export interface WebhookHandler {
  /** For Next.js (`export const POST = handler.web`), Workers (`fetch: handler.web`), Deno and Bun. */
  readonly web: (request: Request) => Promise<Response>;
  /** For Express and `node:http`. Mount it before `express.json()`: a signature is over the bytes of the body. */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>;
}

/** More than any event has. */
const MOST_BYTES = 2 ** 18;

const utf8 = new TextEncoder();

class TooLarge extends Error {}

const joinPieces = async (pieces: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> => {
  let all = new Uint8Array();
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? utf8.encode(piece) : piece;
    if (all.length + bytes.length > MOST_BYTES) throw new TooLarge();
    const more = new Uint8Array(all.length + bytes.length);
    more.set(all);
    more.set(bytes, all.length);
    all = more;
  }
  return all;
};

/** @throws TypeError if something has parsed the body already */
const readNodeBody = async (request: NodeRequest): Promise<Uint8Array | string> => {
  const { body } = request;
  if (body === undefined) return joinPieces(request);
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('the body was parsed before: mount the handler before express.json()');
};

async function* readPieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Returns a handler that verifies each event, calls `onEvent`, and answers.
 * @example
 * const handler = webhookHandler({ secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], onEvent: console.log });
 * export const POST = handler.web; // Next.js; Workers: export default { fetch: handler.web }
 */
export const webhookHandler = ({ onEvent, ...keys }: WebhookOptions): WebhookHandler => {
  type HeaderGetter = (name: string) => string | null | undefined;
  /** Returns the status to answer, and what to say. */
  const receive = async (
    header: HeaderGetter,
    readBody: () => Promise<Uint8Array | string>,
  ): Promise<[number, string?]> => {
    try {
      const { event, delivery } = await verifyWebhook({ header, body: await readBody() }, keys);
      await onEvent(event, delivery);
      return [204];
    } catch (error) {
      if (error instanceof WebhookError) return [error.status, error.message];
      if (error instanceof TooLarge) return [413, 'the body is too large'];
      console.error('broker-transparency: an event was not received', error);
      return [500, 'the event was not received'];
    }
  };
  return {
    web: async ({ headers, body }) => {
      const readWebBody = async () => (body ? joinPieces(readPieces(body)) : '');
      const [status, text] = await receive((name) => headers.get(name), readWebBody);
      return new Response(text ?? null, { status });
    },
    node: async (request, response) => {
      const header = (name: string) => [request.headers[name]].flat()[0];
      const [status, text] = await receive(header, () => readNodeBody(request));
      response.statusCode = status;
      response.end(text);
    },
  };
};
