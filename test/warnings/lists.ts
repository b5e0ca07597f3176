/**
 * Brokers, and lists of authorities that warn of them and of clones of them. What is right of each warning is known,
 * because the generator made it up: whether it may cap a broker at once, and which one.
 */
import { createRandom, type Random } from '../record/story.ts';
import { brokerRow, licenseRow } from '../support/records.ts';

/** A fictional broker. */
export interface Firm {
  readonly slug: string;
  readonly name: string;
  readonly legalName: string;
  readonly domain: string;
  readonly lei: string;
  readonly authority: string;
  readonly number: string;
}

/** A warning in the plain form, and what is right of it. */
interface Case {
  readonly scenario: string;
  readonly line: Readonly<Record<string, unknown>>;
  /** The broker that it caps at once. */
  readonly caps: string | null;
  /** Brokers for which it waits for a person. Others are not concerned. */
  readonly waits: readonly string[];
}

const FIRST = ['Amber', 'Birch', 'Cobalt', 'Dorset', 'Ember', 'Falcon', 'Garnet', 'Harbour', 'Indigo', 'Juniper'];
const SECOND = ['Crest', 'Field', 'Gate', 'Haven', 'Lane'];
const AUTHORITIES = ['fca', 'asic', 'cysec', 'finma', 'mas'];

/** Returns an LEI with right check digits (ISO 7064, MOD 97-10). */
const createLei = (number: number): string => {
  const body = `5493${String(number).padStart(14, '0')}`;
  const remainder = [...`${body}00`].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0);
  return body + String(98 - remainder).padStart(2, '0');
};

const capitalise = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export const FIRMS: readonly Firm[] = FIRST.flatMap((first, a) =>
  SECOND.map((second, b): Firm => {
    const at = a * SECOND.length + b;
    const name = `${first}${second.toLowerCase()} Markets`;
    const slug = `${first}${second}-markets`.toLowerCase();
    return {
      slug,
      name,
      legalName: `${first}${second.toLowerCase()} Capital Ltd`,
      domain: `${first}${second}.example`.toLowerCase(),
      lei: createLei(1000 + at),
      authority: AUTHORITIES[at % AUTHORITIES.length] as string,
      number: String(410_000 + 37 * at),
    };
  }),
);

/** Two brands of one firm: what it is known by is no ground against one of them. */
const SISTERS = ['sister-one', 'sister-two'] as const;
const SHARED = { lei: createLei(9999), number: '999001', authority: 'fca' } as const;

/** Rows of an import of brokers. */
export const brokerRows = (): object[] => [
  ...FIRMS.map(({ slug, name, legalName, domain, lei, authority, number }) =>
    brokerRow(slug, {
      name,
      legalName,
      website: `https://www.${domain}/`,
      domains: [domain],
      lei,
      entities: [{ legalName, lei, country: 'GB' }],
      licenses: [licenseRow(legalName, authority, { referenceNumber: number })],
    }),
  ),
  ...SISTERS.map((slug) =>
    brokerRow(slug, {
      name: `${capitalise(slug.slice(7))} of the sisters`,
      legalName: 'Sisterhood Capital Ltd',
      lei: SHARED.lei,
      entities: [{ legalName: 'Sisterhood Capital Ltd', country: 'GB' }],
      licenses: [licenseRow('Sisterhood Capital Ltd', SHARED.authority, { referenceNumber: SHARED.number })],
    }),
  ),
];

interface CaseInput {
  readonly random: Random;
  /** A firm that this authority licenses. */
  readonly firm: Firm;
  /** Another one, licensed elsewhere. */
  readonly other: Firm;
  /** A number that differs for each warning. */
  readonly serial: number;
}

/** Writes a number as people do. */
const formatNumber = ({ pick }: Random, number: string): string =>
  pick([
    number,
    `No. ${number}`,
    `0${number}`,
    `${number.slice(0, 3)} ${number.slice(3)}`,
    `${number.slice(0, 3)}-${number.slice(3)}`,
  ]);

const spellName = ({ pick }: Random, { name, legalName }: Firm): string =>
  pick([name, legalName, name.toUpperCase(), legalName.toUpperCase()]);

const CLONE_TEXTS = [
  'Scammers use the details of the firm above. This is a clone of it.',
  'Fraudsters are pretending to be a firm that we have authorised.',
  'Usurpation d’identité',
  'Das Unternehmen wird Opfer eines Identitätsmissbrauchs.',
  '当該業者になりすましています',
  'Imposter',
  'The website has no connection with the firm.',
];

const fakeDomain = ({ domain }: Firm, serial: number): string => `${domain.split('.')[0]}-invest${serial}.example`;

type CaseDraft = Omit<Case, 'scenario'>;

/** Lines that authorities write, by scenario. In those of clones, `firm` is the victim. */
const SCENARIOS: Readonly<Record<string, (maker: CaseInput) => CaseDraft>> = {
  'the firm by LEI, name and domain': ({ random, firm }) => ({
    line: { names: [spellName(random, firm)], domains: [firm.domain], leis: [firm.lei] },
    caps: firm.slug,
    waits: [],
  }),
  'the firm by LEI alone': ({ firm }) => ({ line: { leis: [firm.lei] }, caps: firm.slug, waits: [] }),
  'the firm by number and name': ({ random, firm }) => ({
    line: { names: [spellName(random, firm)], licenseNumbers: [formatNumber(random, firm.number)] },
    caps: firm.slug,
    waits: [],
  }),
  'the firm by number and domain': ({ random, firm }) => ({
    line: { domains: [`https://www.${firm.domain}/trade`], licenseNumbers: [formatNumber(random, firm.number)] },
    caps: firm.slug,
    waits: [],
  }),
  'the firm by number alone': ({ random, firm }) => ({
    line: { licenseNumbers: [formatNumber(random, firm.number)] },
    caps: firm.slug,
    waits: [],
  }),
  'the firm by name': ({ random, firm }) => ({
    line: { names: [spellName(random, firm)] },
    caps: null,
    waits: [firm.slug],
  }),
  'the firm by domain': ({ firm }) => ({ line: { domains: [`www.${firm.domain}`] }, caps: null, waits: [firm.slug] }),
  'the firm with a domain that nobody knows': ({ random, firm, serial }) => ({
    line: { names: [spellName(random, firm)], domains: [fakeDomain(firm, serial)], licenseNumbers: [firm.number] },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that is said to be one, with all that is the victim’s': ({ random, firm, serial }) => ({
    line: {
      names: [spellName(random, firm)],
      domains: [firm.domain, fakeDomain(firm, serial)],
      leis: [firm.lei],
      licenseNumbers: [firm.number],
      text: random.pick(CLONE_TEXTS),
    },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that is said to be one, with the victim’s domain alone': ({ random, firm }) => ({
    line: { names: [firm.name], domains: [firm.domain], leis: [firm.lei], category: random.pick(CLONE_TEXTS) },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that the list marks': ({ firm }) => ({
    line: { names: [firm.legalName], domains: [firm.domain], licenseNumbers: [firm.number], mentionsClone: true },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that says so in its name': ({ random, firm }) => ({
    line: { names: [`${firm.name} (clone)`, firm.name], domains: [firm.domain], leis: [random.pick([firm.lei])] },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that nobody says to be one, with both domains': ({ firm, serial }) => ({
    line: { names: [firm.name], domains: [firm.domain, fakeDomain(firm, serial)], leis: [firm.lei] },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that nobody says to be one, under a name of its own': ({ firm, serial }) => ({
    line: {
      names: [`${firm.name} Pro ${serial}`],
      domains: [firm.domain],
      licenseNumbers: [firm.number],
      leis: [firm.lei],
    },
    caps: null,
    waits: [firm.slug],
  }),
  'a clone that nobody says to be one, with the victim as an alias': ({ firm, serial }) => ({
    line: { names: [`Invest ${serial}`, firm.name], domains: [firm.domain], licenseNumbers: [firm.number] },
    caps: null,
    waits: [firm.slug],
  }),
  'one broker that uses the number of another': ({ firm, other }) => ({
    line: { names: [other.name], licenseNumbers: [firm.number] },
    caps: null,
    waits: [firm.slug, other.slug],
  }),
  'one broker that uses the domain of another': ({ firm, other }) => ({
    line: { names: [firm.name], domains: [other.domain], leis: [firm.lei] },
    caps: null,
    waits: [firm.slug, other.slug],
  }),
  'the number of a firm that another authority licenses': ({ other }) => ({
    line: { names: [other.name], licenseNumbers: [other.number] },
    caps: null,
    waits: [other.slug],
  }),
  'an LEI that two brokers have': () => ({ line: { leis: [SHARED.lei] }, caps: null, waits: SISTERS }),
  'somebody else': ({ serial }) => ({
    line: {
      names: [`Nobody Knows ${serial} Ltd`],
      domains: [`nobody-knows-${serial}.example`],
      licenseNumbers: [`77${serial}`],
    },
    caps: null,
    waits: [],
  }),
};

const SCENARIO_NAMES = Object.keys(SCENARIOS);

/** A list of one authority. */
export interface GeneratedList {
  readonly authority: string;
  readonly cases: readonly Case[];
}

/** Returns the list that follows from a seed: five to twelve warnings, of which no two are about one broker. */
export const generateList = (seed: number): GeneratedList => {
  const random = createRandom(seed);
  const authority = random.pick(AUTHORITIES);
  const own = random.shuffled(FIRMS.filter((firm) => firm.authority === authority));
  const others = random.shuffled(FIRMS.filter((firm) => firm.authority !== authority));
  const names = random.shuffled(SCENARIO_NAMES).slice(0, 5 + random.below(6));
  const cases = names.map((scenario, at): Case => {
    const serial = seed * 100 + at;
    const maker = { random, firm: own[at] as Firm, other: others[at] as Firm, serial };
    const made = (SCENARIOS[scenario] as (maker: CaseInput) => CaseDraft)(maker);
    return { ...made, scenario, line: { id: `w-${serial}`, publishedAt: '2026-10-01', ...made.line } };
  });
  return { authority, cases };
};
