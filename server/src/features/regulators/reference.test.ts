import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RegulatorRecord } from './record.rule.ts';

const json = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../data/${name}.json`, import.meta.url), 'utf8')) as unknown;
const regulators = (json('regulators') as unknown[]).map((row) => RegulatorRecord.parse(row));

const MEASURED = ['compensationLimit', 'negativeBalance', 'segregation', 'retailLeverageCap'] as const;
/** Highest leverage that counts as a product limit, as the methodology says. */
const MOST_LEVERAGE = 100;

test('the guide says for every regulator how a licence is checked by hand, and for no other', () => {
  const guide = json('register-guide') as Record<string, string>;
  expect(Object.keys(guide).sort()).toEqual(regulators.map(({ code }) => code).sort());
  for (const text of Object.values(guide)) expect(text).toMatch(/^[A-Z].{20,}\.$/);
});

test.each(regulators.map((one) => [one.code, one] as const))(
  'every fact of %s has a source',
  (_, { protections, sources, registerUrl, website, complaintsUrl }) => {
    const facts = new Set(sources.map(({ fact }) => fact));
    for (const fact of ['website', 'register', 'complaints', 'tier']) expect(facts).toContain(fact);
    for (const fact of MEASURED)
      if (protections[fact] !== null) expect(facts.has(fact) || facts.has('protections'), fact).toBe(true);
    for (const url of [registerUrl, website, complaintsUrl]) expect(sources.map((one) => one.url)).toContain(url);
    expect(JSON.stringify(sources)).not.toContain('2018/796'); // it ended on 31 July 2019
  },
);

test.each(regulators.map((one) => [one.code, one] as const))(
  'the tier of %s follows from its protections as far as they are data',
  (_, { tier, protections: { segregation, retailLeverageCap: cap, retailLeveragedFx: offer } }) => {
    const hasLimits = offer === 'prohibited' || (cap !== null && cap <= MOST_LEVERAGE);
    if (offer === 'prohibited' || offer === 'not_licensed') expect(cap).toBeNull();
    if (tier === 1) expect([segregation, hasLimits]).toEqual([true, true]);
    if (tier === 2) expect(segregation === true || hasLimits).toBe(true);
  },
);

test('nobody has opened a source for the service yet', () => {
  expect(regulators.filter(({ lastVerifiedAt }) => lastVerifiedAt !== null)).toEqual([]);
});
