import { BROKER_STATUSES, CHECKLIST_KEYS, LICENSE_STATUSES } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  collectCandidates,
  overruleProperty,
  type Statement,
  type StatementSource,
  selectStanding,
} from '../../ledger/statements/statement.rule.ts';
import { toFindingProperty, toRenamedProperty } from './licenses.rule.ts';
import { BrokerRecord, type BrokerState, licenseKey } from './record.rule.ts';
import { resolveBroker } from './resolve.rule.ts';
import { sayAll } from './say-all.ts';

const day = (date: number): string => new Date(Date.UTC(2026, 10, date)).toISOString();
const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };
const resolved = (statements: readonly Statement[]) =>
  resolveBroker({ _id: 'broker:b1', name: 'alpha' }, collectCandidates(statements));

const HOLDERS = ['Alpha Ltd', 'Alpha Island Ltd', 'Beta Ltd'];
const days = fc.integer({ min: 1, max: 9 }).map(day);
const time = fc.option(days);
const status = fc.constantFrom(...LICENSE_STATUSES);
const url = fc.constantFrom('a', 'b', 'c').map((path) => `https://${path}.example/`);
const regulatorCode = fc.constantFrom('asic', 'fca');
const referenceNumber = fc.constantFrom('1', '2');

const licenses = (holders: readonly string[]) =>
  fc.uniqueArray(
    fc.record(
      {
        entity: fc.record({ legalName: fc.constantFrom(...holders) }),
        regulatorCode,
        referenceNumber,
        type: fc.constantFrom('authorisation' as const, 'passport' as const),
        status,
        statusEffectiveAt: time,
        activeSince: fc.constant('2020-01-01'),
        permissions: fc.constantFrom([], ['FX']),
        expiresAt: days,
        sourceUrl: url,
        lastVerifiedAt: time,
      },
      { requiredKeys: ['entity', 'regulatorCode', 'referenceNumber', 'type', 'status', 'sourceUrl'] },
    ),
    { selector: (one) => [one.regulatorCode, one.referenceNumber, one.entity.legalName].join(), maxLength: 6 },
  );
const fields = {
  name: fc.constantFrom('Alpha', 'Beta'),
  legalName: fc.constantFrom(...HOLDERS),
  website: url,
  country: fc.constantFrom('AU', 'VU'),
  tradingNames: fc.constantFrom([], ['A'], ['A', 'B']),
  lei: fc.constant('529900T8BM49AURSDO55'),
  domains: fc.constantFrom([], ['a.example']),
  foundedYear: fc.constantFrom(null, 1999),
  description: fc.constantFrom('', 'A broker.'),
  status: fc.constantFrom(...BROKER_STATUSES),
  licensesCheckedAt: time,
  checklist: fc.uniqueArray(
    fc.record({ key: fc.constantFrom(...CHECKLIST_KEYS), met: fc.option(fc.boolean()), checkedAt: time }),
    { selector: ({ key }) => key, maxLength: 2 },
  ),
  warnings: fc.uniqueArray(
    fc.record({
      source: fc.constant('FCA'),
      url,
      title: fc.constantFrom('X', 'Y'),
      publishedAt: days,
      about: fc.constant('this_firm'),
    }),
    { selector: (one) => one.url },
  ),
  provenance: fc.uniqueArray(
    fc.record(
      {
        fact: fc.constantFrom('licenses', 'profile'),
        sourceUrl: url,
        lastVerifiedAt: time,
        attribution: fc.constant('CC BY 4.0'),
      },
      { requiredKeys: ['fact', 'sourceUrl'] },
    ),
    { selector: (one) => `${one.fact} ${one.sourceUrl}` },
  ),
};
const NEEDED = ['name', 'legalName', 'website', 'country'] as const;
const records = fc
  .subarray(HOLDERS, { minLength: 1 })
  .chain((names) =>
    fc.record(
      {
        ...fields,
        entities: fc.constant(names.map((legalName) => ({ legalName, country: 'AU' }))),
        licenses: licenses(names),
      },
      { requiredKeys: [...NEEDED, 'entities'] },
    ),
  )
  .map((one) => BrokerRecord.parse({ slug: 'alpha', ...one }));

const states = records.map(({ slug, licenses: all = [], ...profile }): BrokerState => {
  const keyed = all.map((one) => ({ _id: licenseKey(slug, one), broker: slug, ...one }));
  return {
    profile: { _id: slug, id: 'b1', ...profile },
    licenses: keyed.toSorted((a, b) => (a._id < b._id ? -1 : 1)),
  };
});

test('publishes what an editor states, and then what the same editor states instead', () => {
  fc.assert(
    fc.property(states, states, (a, b) => {
      const first = { version: 1, source: EDITOR, said: sayAll(a), asOf: day(1), url: null };
      expect(resolved([first])).toEqual({ state: a, contested: [] });
      const takenBack = sayAll(a).map(({ property }) => ({ property }));
      const said = [...new Map([...takenBack, ...sayAll(b)].map((one) => [one.property, one])).values()];
      const then = { version: 2, source: EDITOR, said, asOf: day(1), url: null };
      expect(resolved([first, then])).toEqual({ state: b, contested: [] });
    }),
    { seed: 20_261_125, numRuns: 300 },
  );
});

/** The claims of a source on a day. */
type Speech = Pick<Statement, 'source' | 'asOf' | 'said'>;
const speech = (source: StatementSource, asOf: string, said: object): Speech => ({
  source,
  asOf,
  said: Object.entries(said).map(([property, value]) => ({ property, value })),
});

const sheets = fc.tuple(records, days).map(([{ slug, ...said }, asOf]) => speech(EDITOR, asOf, said));
const lists = fc
  .tuple(
    fc.constantFrom<StatementSource>({ kind: 'dataset', name: 'list' }, { kind: 'dataset', name: 'map' }, EDITOR, {
      kind: 'authority',
      name: 'fca',
    }),
    days,
    fc.record({ ...fields, licenses: licenses(HOLDERS) }, { requiredKeys: [] }),
  )
  .map(([source, asOf, said]) => speech(source, asOf, said));

/** The claims of a register and the calendar about a licence, and decisions of editors against them. */
const findings = fc
  .record({
    regulatorCode,
    referenceNumber,
    status,
    holder: fc.constantFrom('Gamma Ltd', ...HOLDERS),
    newName: fc.option(fc.constantFrom('Gamma Ltd', ...HOLDERS), { nil: undefined }),
    register: fc.constantFrom('asic', 'fca', 'vfsc'),
    asOf: days,
    expiresAt: days,
    kind: fc.constantFrom('register' as const, 'calendar' as const, 'editor' as const),
  })
  .map(({ newName, register, asOf, expiresAt, kind, ...one }) => {
    const property = toFindingProperty(one);
    const about = { ...one, lastVerifiedAt: asOf, statusEffectiveAt: asOf };
    const source: StatementSource = { kind: 'register', name: register };
    if (kind === 'calendar')
      return speech({ kind, name: kind }, asOf, { [property]: { ...about, status: 'expired', expiresAt } });
    const renamed = newName === undefined ? {} : { [toRenamedProperty(one)]: { ...one, newName } };
    if (kind === 'register') return speech(source, asOf, { [property]: about, ...renamed });
    const overrule = { property, source, value: { status: one.status }, reason: 'The file is wrong.' };
    return speech(EDITOR, asOf, { [overruleProperty(overrule)]: overrule });
  });
const statements = fc
  .tuple(sheets, fc.array(lists, { maxLength: 5 }), fc.array(findings, { maxLength: 8 }))
  .map(([sheet, listed, found]) =>
    [sheet, ...listed, ...found].map((one, at): Statement => ({ version: at + 1, url: null, ...one })),
  );

test('any statements publish the same to the byte, whatever their order and without those that do not stand', () => {
  fc.assert(
    fc.property(
      statements.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
      ),
      ([all, mixed]) => {
        const published = JSON.stringify(resolved(all));
        expect(JSON.stringify(resolved(mixed))).toBe(published);
        expect(JSON.stringify(resolved([...selectStanding(mixed)]))).toBe(published);
      },
    ),
    { seed: 20_261_126, numRuns: 400 },
  );
});

test('any statements publish only licences of entities, and each licence once', () => {
  fc.assert(
    fc.property(statements, (all) => {
      const { state } = resolved(all);
      const names = new Set(state?.profile.entities.map(({ legalName }) => legalName));
      const keys = (state?.licenses ?? []).map((license) => licenseKey('alpha', license));
      expect(state?.licenses.map(({ _id }) => _id)).toEqual(keys.toSorted());
      expect(new Set(keys).size).toBe(keys.length);
      expect(state?.licenses.every(({ entity }) => names.has(entity.legalName))).toBe(true);
    }),
    { seed: 20_261_127, numRuns: 300 },
  );
});
