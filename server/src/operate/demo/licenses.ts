import { hasLicenseEnded, type LicenseStatus, type Regulator } from '@broker-transparency/contract';
import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import { addDays, interpolateDate, subtractDays, toCalendarDate } from './calendar.ts';
import type { DemoRandom } from './random.ts';
import { PERMISSIONS, SINGLE_MARKET } from './words.ts';

/** The facts of a regulator that the demo set uses. The licences are fictional, but the regulators are real. */
export type DemoRegulator = Pick<Regulator, 'code' | 'country' | 'tier'>;
export type Entity = BrokerRecord['entities'][number];

interface LicenseGrant {
  readonly entity: Entity;
  readonly regulator: DemoRegulator;
  readonly type: LicenseRecord['type'];
  readonly status: LicenseStatus;
  readonly start: Date;
  /** Time of the last check of the register; null if never. */
  readonly checkedAt: Date | null;
}

const isEnded = (status: LicenseStatus): boolean => hasLicenseEnded({ status });

/** Returns the time at which the licence reached its status. */
const drawEffectiveAt = ({ status, start }: LicenseGrant, random: DemoRandom, anchor: Date): Date | null => {
  const part = 0.3 + 0.6 * random.next();
  if (status === 'unverified') return null;
  if (status === 'pending') return subtractDays(anchor, random.int(10, 90));
  return status === 'active' ? start : interpolateDate(start, anchor, part);
};

/** Returns the end of the licence, if any. */
const drawExpiry = (
  { status }: LicenseGrant,
  effective: Date | null,
  random: DemoRandom,
  anchor: Date,
): Date | undefined => {
  const soon = addDays(anchor, random.int(60, 700));
  const limited = random.chance(0.15);
  if (status === 'expired') return effective ?? undefined;
  return status === 'active' && limited ? soon : undefined;
};

const createLicense = (grant: LicenseGrant, random: DemoRandom, anchor: Date): LicenseRecord => {
  const { entity, regulator, type, status, start, checkedAt } = grant;
  const referenceNumber = `DEMO-${random.int(100_000, 999_999)}`;
  const effective = drawEffectiveAt(grant, random, anchor);
  const expires = drawExpiry(grant, effective, random, anchor);
  const granted = status !== 'pending' && status !== 'unverified';
  return {
    entity: { legalName: entity.legalName, ...(entity.lei === undefined ? {} : { lei: entity.lei }) },
    regulatorCode: regulator.code,
    referenceNumber,
    type,
    ...(type === 'passport' ? { notifiedCountries: [regulator.country] } : {}),
    status,
    statusEffectiveAt: effective?.toISOString() ?? null,
    ...(granted ? { activeSince: toCalendarDate(start) } : {}),
    permissions: isEnded(status) ? [] : random.shuffled(PERMISSIONS).slice(0, random.int(1, 4)),
    issuedAt: granted ? start.toISOString() : null,
    ...(expires === undefined ? {} : { expiresAt: expires.toISOString() }),
    sourceUrl: `https://registers.example/${regulator.code}/${referenceNumber}`,
    lastVerifiedAt: status === 'unverified' ? null : (checkedAt?.toISOString() ?? null),
  };
};

/** Returns the same permission in up to two other countries of the single market. */
const createPassports = (
  home: LicenseGrant,
  regulators: readonly DemoRegulator[],
  random: DemoRandom,
): LicenseGrant[] => {
  const hosts = regulators.filter(({ country }) => SINGLE_MARKET.has(country) && country !== home.regulator.country);
  if (!SINGLE_MARKET.has(home.regulator.country) || home.status !== 'active' || !random.chance(0.4)) return [];
  return random
    .shuffled(hosts)
    .slice(0, 2)
    .map((regulator) => ({ ...home, regulator, type: 'passport' }));
};

/**
 * Returns an entry in another regulator's register. A registration is not supervision, and may outlast the licence.
 */
const createRegistrations = (
  home: LicenseGrant,
  regulators: readonly DemoRegulator[],
  random: DemoRandom,
): LicenseGrant[] => {
  const regulator = random.pick(regulators);
  const status = home.status === 'suspended' || home.status === 'revoked' ? 'active' : home.status;
  return random.chance(0.12) && regulator.code !== home.regulator.code
    ? [{ ...home, regulator, type: 'registration', status }]
    : [];
};

/**
 * Returns an entity with the countries whose clients sign with it: those of its authorisations and passports that are
 * active. Its terms state them, as they were last read at `readAt`.
 */
export const withServes = (
  entity: Entity,
  licenses: readonly LicenseRecord[],
  { site, readAt, regulators }: { site: string; readAt: Date; regulators: readonly DemoRegulator[] },
): Entity => {
  const active = licenses.filter(
    ({ entity: { legalName }, status, type }) =>
      legalName === entity.legalName && status === 'active' && type !== 'registration',
  );
  const countries = active.flatMap(({ regulatorCode }) =>
    regulators.filter(({ code }) => code === regulatorCode).map(({ country }) => country),
  );
  if (!entity.retailClients || countries.length === 0) return entity;
  const serves = { countries: [...new Set(countries)].sort(), sourceUrl: `${site}/terms`, asOf: readAt.toISOString() };
  return { ...entity, serves };
};

/** Returns the licence of an entity with its passports and registrations. */
export const createLicenses = (
  home: Omit<LicenseGrant, 'type'>,
  regulators: readonly DemoRegulator[],
  random: DemoRandom,
  anchor: Date,
): LicenseRecord[] => {
  const main: LicenseGrant = { ...home, type: 'authorisation' };
  const grants = [main, ...createPassports(main, regulators, random), ...createRegistrations(main, regulators, random)];
  return grants.map((grant) => createLicense(grant, random, anchor));
};
