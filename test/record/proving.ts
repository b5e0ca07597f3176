/** Helps tests whose client verifies the answers of a service. */
import type { Fetch } from '@broker-transparency/client';
import { createRandom, type Random } from './story.ts';

export { createRandom, type Random };

/** Requests and bytes besides the calls of the caller. */
export interface Meter {
  readonly counted: { requests: number; bytes: number };
  readonly fetch: Fetch;
}

const isOfRecord = (url: string): boolean => url.includes('/transparency/');

/** Counts the requests to the record, and the bytes of their answers before compression. */
export const createMeter = (): Meter => {
  const counted = { requests: 0, bytes: 0 };
  const fetch: Fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    if (!isOfRecord(url)) return response;
    const body = await response.arrayBuffer();
    counted.requests++;
    counted.bytes += body.byteLength;
    return new Response(body, response);
  };
  return { counted, fetch };
};

/** Returns a copy of an answer that somebody changed on its way. */
export type Tampering = (answer: unknown) => unknown;

/**
 * Returns a `fetch` that changes answers of the API, but none of the record. The record is asked once for each address,
 * so it must not change meanwhile.
 */
export const createTamperingFetch = (tamper: () => Tampering): Fetch => {
  const kept = new Map<string, Promise<Response>>();
  const ask = (url: string, init: RequestInit): Promise<Response> => {
    const known = kept.get(url) ?? globalThis.fetch(url, init);
    kept.set(url, known);
    return known.then((response) => response.clone());
  };
  return async (url, init) => {
    const response = await ask(url, init);
    if (isOfRecord(url)) return response;
    return Response.json(tamper()(await response.json()), { headers: { 'Content-Type': 'application/json' } });
  };
};

/** A place in an answer. */
export type FieldPath = readonly (string | number)[];

/** Returns every place of an answer that has no fields below it. */
export const listPlaces = (value: unknown, path: FieldPath = []): FieldPath[] => {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, below]) =>
    listPlaces(below, [...path, Array.isArray(value) ? Number(name) : name]),
  );
};

/** Returns another value of the same type. */
const changeValue = (value: unknown, random: Random): unknown => {
  if (typeof value === 'number') return value + random.pick([1, -1, 0.5]);
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return random.pick(['2026-01-01T00:00:00.000Z', 1]);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(Date.parse(value) - 86_400_000 * 40).toISOString();
  const at = random.below(value.length + 1);
  return `${value.slice(0, at)}x${value.slice(at)}`;
};

/** Returns a copy of an answer with another value at a place. */
export const changeField = (answer: unknown, [name, ...below]: FieldPath, random: Random): unknown => {
  if (name === undefined) return changeValue(answer, random);
  const copy = structuredClone(answer) as Record<string | number, unknown>;
  copy[name] = changeField(copy[name], below, random);
  return copy;
};

/** Returns a place as errors and proofs name it, without the positions in lists. */
export const formatPlace = (path: FieldPath): string =>
  path
    .map((part) => (typeof part === 'number' ? '[]' : `.${part}`))
    .join('')
    .slice(1);
