import type { BrokerDetail, Register } from '@broker-transparency/contract';
import type { RegulatorState } from '../../features/regulators/record.rule.ts';
import { freshUntil } from '../../features/regulators/staleness.rule.ts';

const toRegister = (regulator: RegulatorState, isLicensing: boolean): Register => {
  const { _id: code, name, country, registerUrl, registerReadAt: readAt } = regulator;
  const { protections, complaintsUrl, sources, lastVerifiedAt } = regulator;
  return {
    code,
    name,
    country,
    registerUrl,
    readAt,
    readUntil: readAt === null ? null : freshUntil(readAt, code).toISOString(),
    ...(isLicensing ? { rules: { protections, complaintsUrl, sources, lastVerifiedAt } } : {}),
  };
};

const listCodes = ({ licenses }: Pick<BrokerDetail, 'licenses'>): ReadonlySet<string> =>
  new Set(licenses.map(({ regulatorCode }) => regulatorCode));

/** Returns the registers of the licences of a broker, with the rules of their regulators. */
export const toOwnRegisters = (
  regulators: ReadonlyMap<string, RegulatorState>,
  broker: Pick<BrokerDetail, 'licenses'>,
): Register[] =>
  [...listCodes(broker)].flatMap((code) => {
    const regulator = regulators.get(code);
    return regulator === undefined ? [] : [toRegister(regulator, true)];
  });

/**
 * Returns the function that lists all registers as JSON, with the rules of the regulators of a broker's licences. The
 * texts are the same for every broker, and are made once.
 */
export const prepareRegisters = (regulators: readonly RegulatorState[]) => {
  const texts = regulators.map((regulator) => ({
    code: regulator._id,
    plain: JSON.stringify(toRegister(regulator, false)),
    licensing: JSON.stringify(toRegister(regulator, true)),
  }));
  return (broker: Pick<BrokerDetail, 'licenses'>): string => {
    const codes = listCodes(broker);
    return `[${texts.map(({ code, plain, licensing }) => (codes.has(code) ? licensing : plain)).join()}]`;
  };
};
