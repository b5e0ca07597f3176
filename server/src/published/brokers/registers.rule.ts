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

/** Returns all registers as the detail of a broker lists them, with the rules of the regulators of its licences. */
export const toRegisters = (
  regulators: readonly RegulatorState[],
  { licenses }: Pick<BrokerDetail, 'licenses'>,
): Register[] => {
  const codes = new Set(licenses.map(({ regulatorCode }) => regulatorCode));
  return regulators.map((regulator) => toRegister(regulator, codes.has(regulator._id)));
};
