/** A prober by node:crypto: it makes keys, results and signed chains. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, formatVerifierKey, keyIdFrom, keyIdInput, SIGNATURE_TYPES } from '@broker-transparency/log';
import { DELIVERY_HEADERS, deliveryText, type ProbeResult } from '@broker-transparency/service-level';

const sha256 = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest();

/** A result without its place in the chain. */
export type ProbeReading = Pick<ProbeResult, 'minute' | 'checks' | 'freshnessMs' | 'webhookMs'>;

/** A prober of a test. */
export interface TestProber {
  readonly name: string;
  /** The key that operators register. */
  readonly verifierKey: string;
  readonly privateKey: KeyObject;
  /** Signs a text: base64. */
  readonly sign: (text: string) => string;
}

/** Makes a prober with a new key. */
export const newProber = (name: string): TestProber => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const key = { name, type: SIGNATURE_TYPES.ed25519, publicKey: raw };
  const keyId = keyIdFrom(sha256(keyIdInput(key)));
  return {
    name,
    verifierKey: formatVerifierKey({ ...key, keyId }),
    privateKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
};

/** Returns the minute `count` minutes after another one. */
export const addMinutes = (minute: string, count: number): string =>
  `${new Date(Date.parse(minute) + count * 60_000).toISOString().slice(0, 16)}Z`;

/** Returns a result in which everything was right, or nothing. */
export const createReading = (minute: string, ok = true): ProbeReading => ({
  minute,
  checks: {
    public: ok ? { ok, ms: 40 } : { ok, ms: 5000, error: 'no answer' },
    feed: ok ? { ok, ms: 30 } : { ok, ms: 5000, error: 'no answer' },
  },
});

/** Returns results of consecutive minutes; `down` selects those that were not up. */
export const createReadings = (
  minute: string,
  count: number,
  down: (at: number) => boolean = () => false,
): ProbeReading[] => Array.from({ length: count }, (_, at) => createReading(addMinutes(minute, at), !down(at)));

/** Lines of a file: each ends in a newline, and the last one is signed. */
export interface Chain {
  readonly text: string;
  readonly lines: readonly string[];
  /** Hash of the last line; what the next one has as `previous`. */
  readonly head: string | null;
}

/** Returns results as lines of a prober's file of a day, behind a line with the hash `previous`. */
export const createChain = (
  prober: TestProber,
  results: readonly ProbeReading[],
  previous: string | null = null,
): Chain => {
  let head = previous;
  const lines = results.map((result, at) => {
    const unsigned = canonicalJson({ ...result, prober: prober.name, previous: head });
    head = sha256(unsigned).toString('base64');
    if (at < results.length - 1) return unsigned;
    return canonicalJson({ ...JSON.parse(unsigned), signature: prober.sign(unsigned) });
  });
  return { text: lines.map((line) => `${line}\n`).join(''), lines, head };
};

/** Returns the headers by which a prober delivers this body about a day. */
export const deliveryHeaders = (prober: TestProber, date: string, body: string, at: Date): Record<string, string> => {
  const time = String(Math.floor(at.getTime() / 1000));
  const digest = sha256(body).toString('base64');
  return {
    'Content-Type': 'application/x-ndjson',
    [DELIVERY_HEADERS.time]: time,
    [DELIVERY_HEADERS.digest]: digest,
    [DELIVERY_HEADERS.signature]: prober.sign(deliveryText({ prober: prober.name, date, time, digest })),
  };
};

/** Returns the body by which a prober asks for a mark in the record. */
export const createCanary = (
  prober: TestProber,
  mark: string,
): { readonly mark: string; readonly signature: string } => ({
  mark,
  signature: prober.sign(`canary ${prober.name} ${mark}`),
});
