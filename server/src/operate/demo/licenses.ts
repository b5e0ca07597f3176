import { hasLicenseEnded, type LicenseStatus, type Regulator } from '@broker-transparency/contract';
import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import { between, daysAfter, daysBefore, toCalendarDate } from './calendar.ts';
import type { Random } from './random.ts';
import { PERMISSIONS, SINGLE_MARKET } from './words.ts';

/** The facts of a regulator that the demo set uses. The licences are fictional, but the regulators are real. */
export type DemoRegulator = Pick<Regulator, 'code' | 'country' | 'tier'>;
export type Entity = BrokerRecord['entities'][number];

interface Grant {
  readonly entity: Entity;
  readonly regulator: DemoRegulator;
  readonly type: LicenseRecord['type'];
  readonly status: LicenseStatus;
  readonly start: Date;
  /** When the register was last checked; null means never. */
  readonly checkedAt: Date | null;
}

const isEnded = (status: LicenseStatus): boolean => hasLicenseEnded({ status });

/** Returns when the licence reached its status. */
const effectiveAt = ({ status, start }: Grant, random: Random, anchor: Date): Date | null => {
  const part = 0.3 + 0.6 * random.next();
  if (status === 'unverified') return null;
  if (status === 'pending') return daysBefore(anchor, random.int(10, 90));
  return status === 'active' ? start : between(start, anchor, part);
};

/** Returns when the licence ends or ended, if it does. */
const expiresAt = ({ status }: Grant, effective: Date | null, random: Random, anchor: Date): Date | undefined => {
  const soon = daysAfter(anchor, random.int(60, 700));
  const limited = random.chance(0.15);
  if (status === 'expired') return effective ?? undefined;
  return status === 'active' && limited ? soon : undefined;
};

const license = (grant: Grant, random: Random, anchor: Date): LicenseRecord => {
  const { entity, regulator, type, status, start, checkedAt } = grant;
  const referenceNumber = `DEMO-${random.int(100_000, 999_999)}`;
  const effective = effectiveAt(grant, random, anchor);
  const expires = expiresAt(grant, effective, random, anchor);
  const granted = status !== 'pending' && status !== 'unverified';
  return {
    entity: { legalName: entity.legalName, ...(entity.lei === undefined ? {} : { lei: entity.lei }) },
    regulatorCode: regulator.code,
    referenceNumber,
    type,
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
const passports = (home: Grant, regulators: readonly DemoRegulator[], random: Random): Grant[] => {
  const hosts = regulators.filter(({ country }) => SINGLE_MARKET.has(country) && country !== home.regulator.country);
  if (!SINGLE_MARKET.has(home.regulator.country) || home.status !== 'active' || !random.chance(0.4)) return [];
  return random
    .shuffled(hosts)
    .slice(0, 2)
    .map((regulator) => ({ ...home, regulator, type: 'passport' }));
};

/** Returns an entry in another regulator's register. It is not supervision, and may outlast the licence. */
const registration = (home: Grant, regulators: readonly DemoRegulator[], random: Random): Grant[] => {
  const regulator = random.pick(regulators);
  const status = home.status === 'suspended' || home.status === 'revoked' ? 'active' : home.status;
  return random.chance(0.12) && regulator.code !== home.regulator.code
    ? [{ ...home, regulator, type: 'registration', status }]
    : [];
};

/** Returns the licence of an entity with its passports and registrations. */
export const licensesOf = (
  home: Omit<Grant, 'type'>,
  regulators: readonly DemoRegulator[],
  random: Random,
  anchor: Date,
): LicenseRecord[] => {
  const main: Grant = { ...home, type: 'authorisation' };
  const grants = [main, ...passports(main, regulators, random), ...registration(main, regulators, random)];
  return grants.map((grant) => license(grant, random, anchor));
};
