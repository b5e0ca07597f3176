import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultProblem } from './line.ts';
import { ProbeResult } from './result.ts';

const sound = {
  prober: 'frankfurt-1',
  minute: '2026-11-02T00:00Z',
  checks: { public: { ok: true, ms: 12 }, feed: { ok: false, ms: 5000, error: 'late' } },
  freshnessMs: 900,
  webhookMs: 1200,
  previous: `${'A'.repeat(43)}=`,
  signature: `${'A'.repeat(86)}==`,
};

/** Values that a field could have, by mistake or on purpose. */
const values = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, 'x', '', 'A', 0, -1, 1.5, 600_000, 600_001, [], {}, [1]),
  fc.constantFrom<unknown>(
    { public: {} },
    { public: { ok: 1, ms: 1 } },
    { tea: { ok: true, ms: 1 } },
    { public: null },
  ),
  fc.constantFrom<unknown>({ public: { ok: true, ms: 1, error: 'e'.repeat(200) } }, { webhook: { ok: false, ms: 1 } }),
  fc.constantFrom<unknown>({ public: { ok: true, ms: 1, error: 'e'.repeat(201) } }, 'a'.repeat(40), 'a'.repeat(41)),
  fc.constantFrom<unknown>(
    { feed: { ok: true, ms: 1, error: '' } },
    { feed: { ok: true, ms: 1, more: 1 } },
    '2026-11-02',
  ),
  fc.constantFrom<unknown>({ feed: { ok: true, ms: 1, error: '\ud800' } }, { feed: { ok: true, ms: 1, error: '😀' } }),
  fc.constantFrom<unknown>('2026-11-02T24:00Z', '2026-11-02T23:59Z', sound.previous, sound.signature),
);
const names = fc.constantFrom(...Object.keys(sound), 'more', '__proto__', 'toString');

test('takes what the schema takes, and nothing else', () => {
  expect(resultProblem(sound)).toBeUndefined();
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values), { maxLength: 3 }), (changes) => {
      const changed: unknown = JSON.parse(JSON.stringify({ ...sound, ...Object.fromEntries(changes) }));
      expect(resultProblem(changed) === undefined).toBe(ProbeResult.safeParse(changed).success);
    }),
    { numRuns: 2000 },
  );
});

test.each([null, 7, 'text', [], true])('refuses %j, as the schema does', (value) => {
  expect(ProbeResult.safeParse(value).success).toBe(false);
  expect(resultProblem(value)).toMatch(/^the line: Invalid input: expected object, received /);
});

test('names the place', () => {
  expect(resultProblem({ ...sound, checks: { feed: { ok: true, ms: '1' } } })).toBe(
    'checks.feed.ms: Invalid input: expected number, received string',
  );
});
