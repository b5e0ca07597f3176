import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  collectCandidates,
  overruleProperty,
  type PropertyClaim,
  type StatementSource,
} from '../../ledger/statements/statement.rule.ts';
import type { RegulatorState } from './record.rule.ts';
import { resolveRegulator } from './resolve.rule.ts';

const DAY_1 = '2026-11-01T00:00:00.000Z';
const DAY_2 = '2026-11-02T00:00:00.000Z';
const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };
const SEED: StatementSource = { kind: 'reference', name: 'seed' };

const STATE: RegulatorState = {
  _id: 'asic',
  name: 'ASIC',
  country: 'AU',
  tier: 1,
  tierReason: 'It licenses firms and supervises them.',
  website: 'https://asic.example',
  registerUrl: 'https://asic.example/register',
  complaintsUrl: 'https://asic.example/complaints',
  protections: { compensationLimit: null, negativeBalance: true, segregation: true, retailLeverageCap: 30 },
  sources: [{ fact: 'protections', url: 'https://asic.example/rules' }],
  lastVerifiedAt: DAY_1,
  registerReadAt: DAY_1,
};

const resolved = (...statements: [StatementSource, readonly PropertyClaim[]][]) =>
  resolveRegulator(
    { name: 'asic' },
    collectCandidates(
      statements.map(([source, said], at) => ({ version: at + 1, source, said, asOf: DAY_1, url: null })),
    ),
  );
const said = (fields: Record<string, unknown>): PropertyClaim[] =>
  Object.entries(fields).map(([property, value]) => (value === undefined ? { property } : { property, value }));
const sayAll = ({ _id, ...fields }: RegulatorState): PropertyClaim[] => said(fields);
const ALL = sayAll(STATE);
const TIER_3 = said({ tier: 3 });
const overrule = { property: 'tier', source: EDITOR, value: 3, reason: 'A typing error.' };

test.each<[string, [StatementSource, readonly PropertyClaim[]][], Partial<RegulatorState>]>([
  ['what its only source says', [[SEED, ALL]], {}],
  [
    'what editors say above the reference data',
    [
      [EDITOR, TIER_3],
      [SEED, ALL],
    ],
    { tier: 3 },
  ],
  [
    'the reference data where editors take theirs back',
    [
      [SEED, ALL],
      [EDITOR, TIER_3],
      [EDITOR, said({ tier: undefined })],
    ],
    {},
  ],
  [
    'the reference data where the other is overruled',
    [
      [SEED, ALL],
      [EDITOR, TIER_3],
      [EDITOR, said({ [overruleProperty(overrule)]: overrule })],
    ],
    {},
  ],
  [
    'no day of verification where nobody says one',
    [
      [SEED, ALL],
      [SEED, said({ lastVerifiedAt: undefined })],
    ],
    { lastVerifiedAt: null },
  ],
  [
    'the latest day on which any source read the whole register',
    [
      [SEED, ALL],
      [{ kind: 'register', name: 'asic' }, said({ registerReadAt: DAY_2 })],
    ],
    { registerReadAt: DAY_2 },
  ],
  [
    'no reading of the register that was taken back',
    [
      [SEED, ALL],
      [SEED, said({ registerReadAt: undefined })],
    ],
    { registerReadAt: null },
  ],
  ['nothing that is no field of a regulator', [[SEED, [...ALL, ...said({ brokerCount: 4, note: 'x' })]]], {}],
])('a regulator is published with %s', (_, statements, expected) => {
  expect(resolved(...statements).state).toEqual({ ...STATE, ...expected });
});

test.each(Object.keys(STATE).filter((field) => !['_id', 'lastVerifiedAt', 'registerReadAt'].includes(field)))(
  'publishes no regulator without its %s',
  (field) => {
    expect(resolved([SEED, ALL], [SEED, said({ [field]: undefined })])).toEqual({ state: null, contested: [] });
  },
);

test('names who says something else', () => {
  const { contested } = resolved([SEED, ALL], [EDITOR, said({ tier: 3, name: 'ASIC' })]);
  expect(contested).toMatchObject([
    { field: 'tier', published: { source: EDITOR, value: 3 }, other: { source: SEED, value: 1 } },
  ]);
});

test('publishes what an editor states, and then what the same editor states instead', () => {
  const text = fc.constantFrom('a', 'b');
  const states: fc.Arbitrary<RegulatorState> = fc.record({
    _id: fc.constant('asic'),
    name: text,
    country: fc.constantFrom('AU', 'GB'),
    tier: fc.constantFrom(1, 2, 3, 4),
    tierReason: text,
    website: text,
    registerUrl: text,
    complaintsUrl: text,
    protections: fc.record({
      compensationLimit: fc.constant(null),
      negativeBalance: fc.option(fc.boolean()),
      segregation: fc.option(fc.boolean()),
      retailLeverageCap: fc.option(fc.constantFrom(30, 50)),
    }),
    sources: fc.array(fc.record({ fact: text, url: text }), { maxLength: 2 }),
    lastVerifiedAt: fc.option(fc.constantFrom(DAY_1, DAY_2)),
    registerReadAt: fc.option(fc.constantFrom(DAY_1, DAY_2)),
  });
  fc.assert(
    fc.property(states, states, (a, b) => {
      expect(resolved([EDITOR, sayAll(a)])).toEqual({ state: a, contested: [] });
      expect(resolved([EDITOR, sayAll(a)], [EDITOR, sayAll(b)])).toEqual({ state: b, contested: [] });
    }),
    { seed: 20_261_128 },
  );
});
