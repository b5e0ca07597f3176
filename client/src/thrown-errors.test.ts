import { readFileSync } from 'node:fs';
import { PROBLEM_CODES } from '@broker-transparency/contract';
import { ROUTES } from '@broker-transparency/contract/routes';
import { expect, test } from 'vitest';
import { toClassName } from './error-class.ts';
import { BrokerTransparencyError, PROBLEMS } from './index.ts';

interface ProblemSchema {
  readonly shape?: { readonly code?: { readonly options?: readonly string[] } };
}

/** The problem codes that routes declare, in the order of all codes. */
const DECLARED = PROBLEM_CODES.filter((code) =>
  ROUTES.some(({ responses }) =>
    Object.values(responses).some((schema) => (schema as ProblemSchema).shape?.code?.options?.includes(code)),
  ),
);

/** The sources of the entries, by their names. */
const ENTRIES = Object.entries<{ '@broker-transparency/source'?: string }>(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).exports,
).flatMap(([entry, { '@broker-transparency/source': source }]) => (source === undefined ? [] : [[entry, source]]));

const isErrorClass = (value: unknown): boolean =>
  typeof value === 'function' &&
  (value === BrokerTransparencyError || value.prototype instanceof BrokerTransparencyError);

/** The classes of errors that no answer of the API declares: what the client finds out by itself, and base classes. */
const OWN = [
  'ApiError',
  'BrokerTransparencyError',
  'ConnectionError',
  'ContradictionError',
  'DownloadError',
  'InvalidResponseError',
  'ProofError',
  'RequestError',
  'SchemaDriftError',
  'TimeoutError',
  'VerifyError',
  'WebhookError',
];

test('every exported class of an error of the API is declared by a call, and every declared code has its class', async () => {
  const found = new Set<string>();
  for (const [entry, source] of ENTRIES) {
    const module: Record<string, unknown> = await import(`../${source?.slice(2)}`);
    expect(Object.keys(module), entry).not.toEqual([]);
    for (const [name, value] of Object.entries(module)) if (isErrorClass(value)) found.add(name);
  }
  expect([...found].sort()).toEqual([...OWN, ...DECLARED.map(toClassName)].sort());
});

test('PROBLEMS has the codes that calls declare', () => {
  expect(Object.keys(PROBLEMS)).toEqual(DECLARED);
});
