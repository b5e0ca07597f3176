import type { BrokerDetail } from '@broker-transparency/contract';
import { decideVerdict } from '@broker-transparency/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRanking } from './ranking.rule.ts';
import { listServedResidences } from './residences.rule.ts';

type Broker = Pick<BrokerDetail, 'status' | 'warnings' | 'licensesCheckedAt' | 'entities' | 'licenses' | 'registers'>;

const DAYS = Array.from({ length: 9 }, (_, day) => `2026-11-${String(10 + day)}T00:00:00.000Z`);
const BUILT = DAYS[2] as string;
const FIRMS = ['Alpha Ltd', 'Alpha Europe Ltd'] as const;
const RESIDENCES = ['DE', 'CY', 'GB', 'VU'];
const REGULATORS = { bafin: 'DE', cysec: 'CY', fca: 'GB', vfsc: 'VU' } as const;

const license = fc
  .record({
    regulatorCode: fc.constantFrom(...(Object.keys(REGULATORS) as (keyof typeof REGULATORS)[])),
    legalName: fc.constantFrom(...FIRMS, ...FIRMS, 'Other Ltd'),
    type: fc.constantFrom('authorisation' as const, 'authorisation' as const, 'passport' as const),
    status: fc.constantFrom('active' as const, 'active' as const, 'active' as const, 'restricted' as const),
    expiresAt: fc.option(fc.constantFrom(...DAYS), { nil: undefined }),
    stale: fc.constantFrom(false, false, false, true),
    notifiedCountries: fc.subarray(RESIDENCES),
  })
  .map(({ legalName, expiresAt, type, notifiedCountries, ...rest }): Broker['licenses'][number] => ({
    ...rest,
    type,
    entity: { legalName },
    referenceNumber: '1',
    tier: 1,
    statusEffectiveAt: null,
    permissions: [],
    issuedAt: null,
    sourceUrl: 'https://register.example/1',
    lastVerifiedAt: BUILT,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(type === 'passport' ? { notifiedCountries } : {}),
  }));

const entity = (legalName: string) =>
  fc
    .record({ countries: fc.subarray(RESIDENCES), retailClients: fc.constantFrom(true, true, false) })
    .map(({ countries, retailClients }): Broker['entities'][number] => ({
      legalName,
      country: 'CY',
      retailClients,
      regulationScore: 0,
      ...(countries.length === 0
        ? {}
        : { serves: { countries, sourceUrl: 'https://alpha.example/legal', asOf: BUILT } }),
    }));

const broker: fc.Arbitrary<Broker> = fc.record({
  status: fc.constantFrom('operating' as const, 'operating' as const, 'suspected_clone' as const),
  warnings: fc.constant([]),
  licensesCheckedAt: fc.constantFrom(BUILT, BUILT, BUILT, null),
  entities: fc.tuple(...FIRMS.map(entity)),
  licenses: fc.array(license, { minLength: 2, maxLength: 5 }),
  registers: fc.constantFrom('licensed' as const, 'licensed' as const, 'prohibited' as const).map((retailLeveragedFx) =>
    Object.entries(REGULATORS).map(([code, country]) => ({
      code,
      name: code,
      country,
      registerUrl: 'https://register.example',
      readAt: null,
      readUntil: null,
      rules: {
        protections: {
          compensationLimit: null,
          negativeBalance: null,
          segregation: null,
          retailLeverageCap: null,
          retailLeveragedFx,
        },
        complaintsUrl: 'https://register.example/complain',
        sources: [],
        lastVerifiedAt: null,
      },
    })),
  ),
});

test('a list by residence has a broker exactly while the verdict is `permitted`, from the day of its document on', () => {
  const seen = { permitted: 0, ended: 0 };
  const moments = DAYS.slice(2).flatMap((day) => [-1, 0, 1].map((ms) => new Date(Date.parse(day) + ms)));
  fc.assert(
    fc.property(broker, (drawn) => {
      const serves = listServedResidences(drawn, new Date(BUILT));
      let at = new Date(BUILT);
      const ranking = createRanking(() => at);
      ranking.put({
        slug: 'alpha',
        name: 'alpha',
        color: 'gray',
        value: null,
        country: 'GB',
        keys: ['a'],
        regulatedBy: [],
        licenses: ['none'],
        status: drawn.status,
        isWarned: false,
        residences: serves.map(({ residence }) => residence),
        ending: serves.filter(({ until }) => until !== null),
      });
      for (const moment of moments) {
        if (moment < new Date(BUILT)) continue;
        at = moment;
        const permitted = [...RESIDENCES, 'FR'].filter(
          (residence) => decideVerdict(drawn, residence, moment).permission?.state === 'permitted',
        );
        const listed = [...RESIDENCES, 'FR'].filter((residence) => ranking.page({ residence }, 1, 0).total === 1);
        expect(listed, at.toISOString()).toEqual(permitted);
        expect(Object.keys(ranking.choices({}).residence).sort()).toEqual(permitted.toSorted());
        seen.permitted += permitted.length;
        seen.ended += serves.length - permitted.length;
      }
    }),
    { seed: 20_261_128, numRuns: 1000 },
  );
  expect(seen.permitted).toBeGreaterThan(500);
  expect(seen.ended).toBeGreaterThan(100);
});
