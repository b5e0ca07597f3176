/**
 * The figures of a month, written anew from docs/enterprise/service-level.md: it shares no code with the service. It
 * reads raw files as they are, and knows nothing but them and the probers' keys.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** A registered prober, as the entry of a day names it. */
export interface RegisteredProber {
  readonly name: string;
  /** `name+id+base64` */
  readonly key: string;
  readonly since: string;
  readonly until?: string;
}

/** Raw files by `<prober>/<date>`. */
export type Files = ReadonlyMap<string, string>;

interface ResultLine {
  readonly minute: string;
  readonly previous: string | null;
  readonly signature?: string;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly ms: number }>>;
  readonly freshnessMs?: number;
  readonly webhookMs?: number;
}

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
};
const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** Lines are canonical, so the line without its signature is the line without these characters. */
const stripSignature = (line: string): string => line.replace(/,"signature":"[^"]+"/, '');

const parsePublicKey = (key: string): KeyObject => {
  const raw = Buffer.from(key.split('+').slice(2).join('+'), 'base64').subarray(1);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
};

/** Returns the lines of a file that count. */
const linesThatCount = (file: string, key: string): string[] => {
  const publicKey = parsePublicKey(key);
  const counted: string[] = [];
  let named: string | null | undefined;
  for (const text of file.trimEnd().split('\n').reverse()) {
    if (text === '') continue;
    const { signature, previous } = JSON.parse(text) as ResultLine;
    const said = stripSignature(text);
    const isNamed = typeof named === 'string' && base64(sha256(said)) === named;
    const isSigned = () =>
      signature !== undefined && verify(null, Buffer.from(said), publicKey, Buffer.from(signature, 'base64'));
    if (isNamed || isSigned()) {
      counted.unshift(text);
      named = previous;
    } else named = undefined;
  }
  return counted;
};

const toMinutes = (text: string): number => Date.parse(text) / 60_000;

const listDays = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from.slice(0, 10)); at < Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};

const computeSpeed = (all: readonly number[], percentile: number, limitMs: number) => {
  const inOrder = [...all].sort((a, b) => a - b);
  const ms = inOrder.length === 0 ? null : (inOrder[Math.ceil((inOrder.length * percentile) / 100) - 1] as number);
  return { percentile, limitMs, count: all.length, ms, isMet: ms === null ? null : ms <= limitMs };
};

/** Returns the figures of the minutes from one to another. */
export const modelFigures = (
  probers: readonly RegisteredProber[],
  files: Files,
  [from, to]: readonly [string, string],
) => {
  const [first, end] = [toMinutes(from), toMinutes(to)];
  const minutes = end - first;
  const [votes, ups, seen] = [new Uint8Array(minutes), new Uint8Array(minutes), new Uint8Array(minutes)];
  const measured = {
    public: [] as number[],
    enterprise: [] as number[],
    freshness: [] as number[],
    webhook: [] as number[],
  };
  for (const { name, key, since, until } of probers) {
    const [voteFrom, voteTo] = [Math.max(first, toMinutes(since)), Math.min(end, until ? toMinutes(until) : end)];
    for (let minute = voteFrom; minute < voteTo; minute++) (votes[minute - first] as number)++;
    const found = new Map<number, boolean>();
    for (const date of listDays(from, to))
      for (const text of linesThatCount(files.get(`${name}/${date}`) ?? '', key)) {
        const line = JSON.parse(text) as ResultLine;
        const minute = toMinutes(line.minute);
        if (minute < voteFrom || minute >= voteTo) continue;
        const checks = Object.values(line.checks);
        const isUp = checks.length > 0 && !checks.some(({ ok }) => !ok);
        found.set(minute, isUp && found.get(minute) !== false);
        for (const check of ['public', 'enterprise'] as const) {
          const one = line.checks[check];
          if (one) measured[check].push(one.ok || one.ms > 5000 ? one.ms : 5000);
        }
        if (line.freshnessMs !== undefined) measured.freshness.push(line.freshnessMs);
        if (line.webhookMs !== undefined) measured.webhook.push(line.webhookMs);
      }
    for (const [minute, isUp] of found) {
      seen[minute - first] = 1;
      if (isUp) (ups[minute - first] as number)++;
    }
  }
  let [up, unmeasured] = [0, 0];
  for (let at = 0; at < minutes; at++) {
    if (seen[at] === 0) unmeasured++;
    else if ((ups[at] as number) > (votes[at] as number) / 2) up++;
  }
  const missed = (bound: number): boolean => up * 1000 < bound * minutes;
  return {
    from,
    to,
    minutes,
    up,
    unmeasured,
    availability: Number((BigInt(up) * 1_000_000n) / BigInt(minutes)) / 1_000_000,
    isMet: !missed(999),
    speeds: {
      publicReads: computeSpeed(measured.public, 95, 300),
      enterpriseReads: computeSpeed(measured.enterprise, 95, 500),
      freshness: computeSpeed(measured.freshness, 99, 2000),
      webhooks: computeSpeed(measured.webhook, 99, 60_000),
    },
    credit: missed(950) ? 50 : missed(990) ? 25 : missed(999) ? 10 : 0,
  };
};

/** RFC 6962, section 2.1. */
const treeHash = (leaves: readonly string[]): Buffer => {
  if (leaves.length === 0) return sha256('');
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] as string);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)));
};

/** Returns what the entry of a day has to say. */
export const modelDay = (probers: readonly RegisteredProber[], files: Files, date: string) => {
  const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  const voters = probers.filter(
    ({ since, until }) => since < `${next}T00:00Z` && (until === undefined || until > `${date}T00:00Z`),
  );
  const lines = voters.map(({ name, key }) =>
    linesThatCount(files.get(`${name}/${date}`) ?? '', key).map(stripSignature),
  );
  return {
    date,
    objectives: '2026-1',
    probers: voters.map((prober, at) => {
      const last = lines[at]?.at(-1);
      return { ...prober, lines: lines[at]?.length, head: last === undefined ? null : base64(sha256(last)) };
    }),
    root: base64(treeHash(lines.flat())),
  };
};
