import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** An answer as it came over the wire: not decoded, redirects not followed. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: <T = Record<string, unknown>>() => T;
}

export interface SendOptions {
  readonly method?: string;
  /** Headers to send. Undefined removes a default header. */
  readonly headers?: OutgoingHttpHeaders;
  readonly token?: string | undefined;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
  /** Loopback address that the request comes from. Each address has its own budget. */
  readonly from?: string;
}

const isRaw = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body);

const readResponse = async (message: IncomingMessage): Promise<HttpResponse> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString();
  const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
  return { status: message.statusCode as number, headers, bytes, text, json: () => JSON.parse(text) };
};

/** Sends one request by node:http, which adds no relevant header of its own and allows any header. */
export const send = (
  url: string,
  { method, headers = {}, token, body, from }: SendOptions = {},
): Promise<HttpResponse> => {
  const bytes = body === undefined || isRaw(body) ? body : JSON.stringify(body);
  const ofBody =
    bytes === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(bytes) };
  const ofToken = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const all = Object.entries({ ...ofBody, ...ofToken, ...headers }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      ...(from === undefined ? {} : { localAddress: from }),
      headers: Object.fromEntries(all),
    });
    sent.on('response', (message) => readResponse(message).then(resolve, reject));
    sent.on('error', reject);
    sent.end(bytes);
  });
};

/** Returns the headers of an answer without those that differ between equal requests. */
export const steadyHeaders = ({ headers: { date, 'x-request-id': id, ratelimit, ...others } }: HttpResponse) => others;
