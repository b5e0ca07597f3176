import type { Archetype } from './archetypes.ts';
import type { DemoRegulator, Entity } from './licenses.ts';
import type { DemoRandom } from './random.ts';
import { LEGAL_FORMS, OFFSHORE_COUNTRIES } from './words.ts';

/** A legal entity with its regulator. Without a regulator it is offshore. */
export interface Office {
  readonly entity: Entity;
  readonly regulator: DemoRegulator | undefined;
}

/** Returns an LEI with valid check digits. No issuer uses the prefix DEMO. */
const createDemoLei = (random: DemoRandom): string => {
  const drawDigits = () => String(random.int(0, 999_999)).padStart(6, '0');
  const body = `DEMO00${drawDigits()}${drawDigits()}`;
  const number = [...body].map((character) => Number.parseInt(character, 36)).join('');
  return body + String(98n - (BigInt(`${number}00`) % 97n)).padStart(2, '0');
};

const createOffice = (
  name: string,
  regulator: DemoRegulator | undefined,
  retailClients: boolean,
  random: DemoRandom,
): Office => {
  const country = regulator?.country ?? random.pick(OFFSHORE_COUNTRIES);
  const lei = createDemoLei(random);
  const hasLei = random.chance(0.7) && regulator !== undefined;
  const legalName = `${name} ${LEGAL_FORMS[country] ?? 'Ltd'}`;
  return { entity: { legalName, ...(hasLei ? { lei } : {}), country, retailClients }, regulator };
};

/** Returns the legal entities of a group, the main one first. */
export const createOffices = (
  name: string,
  archetype: Archetype,
  regulators: readonly DemoRegulator[],
  random: DemoRandom,
): [Office, ...Office[]] => {
  const ofTier = (tier: number) => {
    const found = regulators.filter((regulator) => regulator.tier === tier);
    return found.length === 0 ? undefined : random.pick(found);
  };
  const main = createOffice(name, ofTier(random.pick(archetype.mainTiers)), true, random);
  const others = ['International', 'Global']
    .slice(0, random.pick(archetype.others))
    .map((word) =>
      createOffice(`${name} ${word}`, ofTier(random.pick(archetype.otherTiers)), random.chance(0.8), random),
    );
  return [main, ...others];
};

/** Returns the entities of the broker in the documentation, with two well-known regulators. */
export const createAlphaOffices = (
  name: string,
  regulators: readonly DemoRegulator[],
  random: DemoRandom,
): [Office, ...Office[]] => {
  const findByCode = (code: string) => regulators.find((regulator) => regulator.code === code) ?? regulators[0];
  return [
    createOffice(name, findByCode('fca'), true, random),
    createOffice(`${name} Europe`, findByCode('cysec'), true, random),
  ];
};
