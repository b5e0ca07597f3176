import type { Socket } from 'node:net';
import texts from '../bodies.json' with { type: 'json' };
import type { Check } from '../checks.ts';
import type { SeenRequest, Task } from '../run.ts';

/** One request of the client, and where servers are. */
export interface Turn {
  readonly request: SeenRequest;
  /** Number of the request at the API; the first is 1. */
  readonly nth: number;
  readonly socket: Socket;
  /** Origin of the API, such as `http://127.0.0.1:1024`. */
  readonly origin: string;
  /** Origin of a host that the client has no business with. */
  readonly otherOrigin: string;
}

/** A way in which a server behaves, and the rules for a client that meets it. */
export interface Scenario {
  readonly name: string;
  /** The behaviour of the server, as a sentence. */
  readonly server: string;
  /** Why it matters, as a sentence. */
  readonly why: string;
  readonly task: Task;
  /** Returns the bytes of an answer, or does with the socket as it likes. */
  readonly answer: (turn: Turn) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
  readonly checks: readonly Check[];
}

/** Time limit of each call in milliseconds. */
export const TIMEOUT_MS = 3_000;

const limits = { times: 1, timeoutMs: TIMEOUT_MS } as const;

export const GET: Task = { call: 'brokers.get', slug: 'alpha-markets', ...limits };
export const LIST_BROKERS: Task = { call: 'brokers.list', ...limits };
export const LIST_REVIEWS: Task = { call: 'reviews.list', broker: 'alpha-markets', ...limits };
export const CREATE: Task = {
  call: 'reviews.create',
  review: {
    broker: 'alpha-markets',
    rating: 4.5,
    title: 'Withdrawals arrive in two days',
    content: 'I withdrew three times this year, and each time the money was there after two days.',
    language: 'en',
  },
  ...limits,
};

/** Values that a client reports for the bodies below. */
export const NAME = texts.broker.name;
export const REVIEW_ID = texts.review.id;

export const BROKER: object = texts.broker;
export const SUMMARY: object = texts.summary;
export const REVIEW: object = texts.review;

type Fields = Readonly<Record<string, string>>;

/** Builds the first line and the headers of an answer. A header of undefined length is left out. */
export const buildHead = (status: number, fields: Fields, version = '1.1'): string =>
  `HTTP/${version} ${status} Status\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Builds a whole answer. */
export const buildAnswer = (status: number, fields: Fields, body: string | Uint8Array = ''): Uint8Array => {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([Buffer.from(buildHead(status, { ...fields, 'Content-Length': String(bytes.length) })), bytes]);
};

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export const sendJson = (status: number, body: object, fields: Fields = {}): Uint8Array =>
  buildAnswer(status, { ...JSON_TYPE, ...fields }, JSON.stringify(body));

export const sendBroker = (fields: Fields = {}): Uint8Array => sendJson(200, BROKER, fields);

export const sendProblem = (status: number, code: string, fields: Fields = {}): Uint8Array =>
  sendJson(
    status,
    {
      type: `https://brokers.example/problems/${code}`,
      title: 'A title',
      status,
      code,
      detail: 'A detail.',
      requestId: 'r-1',
      instance: BROKER_PATH,
    },
    { 'Content-Type': 'application/problem+json', ...fields },
  );

/** Path of the broker that the client asks for. */
export const BROKER_PATH = '/api/v1/brokers/alpha-markets';
