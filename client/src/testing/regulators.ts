import type { BrokerDetail, Regulator, Tier } from '@broker-transparency/client';
import type { RegulatorFixture } from './fixtures.ts';
import type { KnownValue } from './known.ts';
import { daysBefore } from './times.ts';

/** A regulator without its computed count of brokers. */
export type RegulatorFacts = Omit<Regulator, 'brokerCount'>;

/** Regulators of invented countries. ISO 3166-1 reserves these codes for private use, so they never become real. */
const INVENTED: readonly RegulatorFixture[] = [
  { code: 'test-xa', country: 'XA', tier: 1 },
  { code: 'test-xb', country: 'XB', tier: 1 },
  { code: 'test-xc', country: 'XC', tier: 2 },
  { code: 'test-xd', country: 'XD', tier: 2 },
  { code: 'test-xe', country: 'XE', tier: 3 },
  { code: 'test-xf', country: 'XF', tier: 4 },
];

/** Adds everything to a regulator that its fixture leaves out. */
export const completeRegulator = ({
  code,
  tier = 1 as KnownValue<Tier>,
  ...given
}: RegulatorFixture): RegulatorFacts => {
  const site = `https://${code}.example`;
  return {
    code,
    name: `Fictional Authority ${code.toUpperCase()}`,
    country: 'XA',
    tier,
    tierReason: `Fictional regulator of tier ${tier}, for tests only.`,
    website: site,
    registerUrl: `${site}/register`,
    complaintsUrl: `${site}/complaints`,
    protections: {
      compensationLimit: tier === 1 ? { amount: '50000.00', currency: 'EUR' } : null,
      negativeBalance: tier <= 2,
      segregation: tier <= 3,
      retailLeverageCap: tier <= 2 ? 30 : null,
    },
    sources: [{ fact: 'register', url: `${site}/register` }],
    lastVerifiedAt: null,
    registerReadAt: null,
    stale: true, // nobody ever looked
    ...given,
  };
};

/** Days for which the reading of a register counts. */
const FRESH_DAYS = 35;

/** Returns the registers of all regulators as a broker's detail lists them. */
export const toRegisters = (
  regulators: Iterable<RegulatorFacts>,
  licenses: readonly { readonly regulatorCode: string }[],
): BrokerDetail['registers'] =>
  [...regulators].map(({ code, name, country, registerUrl, registerReadAt: readAt, ...rules }) => {
    const { protections, complaintsUrl, sources, lastVerifiedAt } = rules;
    const isLicensing = licenses.some(({ regulatorCode }) => regulatorCode === code);
    return {
      code,
      name,
      country,
      registerUrl,
      readAt,
      readUntil: readAt === null ? null : daysBefore(new Date(readAt), -FRESH_DAYS).toISOString(),
      ...(isLicensing ? { rules: { protections, complaintsUrl, sources, lastVerifiedAt } } : {}),
    };
  });

export const drawRegulators = (): RegulatorFacts[] => INVENTED.map(completeRegulator);
