import { readFile } from 'node:fs/promises';
import { listRegisters } from '../../../features/registers/actions.ts';
import type { JobSettings } from '../../../ledger/define-module.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Db } from '../../../platform/mongo.ts';
import { listSourceNames, requireSource } from '../../sources/sources.ts';
import { type ConfiguredList, parseConfiguredLists } from './configured.rule.ts';
import { computeDueAt } from './due.rule.ts';
import type { FetchContext } from './run.ts';

export { fetchDue } from './run.ts';

/** Settings of the fetched lists, their addresses and the folder of their files. */
export type RegisterSettings = Pick<JobSettings, 'registers' | 'registersPorts' | 'registersAllowLoopback' | 'dataDir'>;

/**
 * Reads the lists that a process fetches by itself.
 * @throws DomainError invalid_input with the setting, the file and every fault
 */
export const readConfiguredLists = async (path: string): Promise<ConfiguredList[]> => {
  try {
    return parseConfiguredLists(await readFile(path, 'utf8'), new Set(listSourceNames()));
  } catch (error) {
    if (error instanceof DomainError) throw new DomainError('invalid_input', `REGISTERS: ${path}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    throw new DomainError('invalid_input', `REGISTERS: ${path} cannot be read (${code})`);
  }
};

export const toFetchContext = (
  { dataDir, registersPorts, registersAllowLoopback }: RegisterSettings,
  signal?: AbortSignal,
): FetchContext => ({
  dataDir,
  rules: { ports: registersPorts, allowLoopback: registersAllowLoopback, httpsOnly: !registersAllowLoopback },
  signal,
});

/** Returns every list with a mapping, with its state and configuration. */
export const readListStates = async (db: Db, configured: readonly ConfiguredList[]) => {
  const states = new Map((await listRegisters(db)).map((state) => [state._id, state]));
  return listSourceNames().map((name) => {
    const source = requireSource(name);
    const { current, checkedAt, triedAt, failures, lastError, former, waits } = states.get(name) ?? {};
    const own = configured.find((one) => one.name === name);
    const everyHours = source.fetch?.everyHours ?? 24;
    const attempts = { checkedAt: checkedAt ?? null, triedAt: triedAt ?? null, failures: failures ?? 0 };
    return {
      name,
      kind: source.kind,
      publisher: source.publisher,
      regulators: source.regulators,
      terms: source.terms.use,
      apply: own?.apply ?? null,
      entries: current?.entries ?? null,
      asOf: current?.asOf ?? null,
      checkedAt: checkedAt?.toISOString() ?? null,
      nextAt: own ? computeDueAt(attempts, everyHours).toISOString() : null,
      failures: failures ?? 0,
      lastError: lastError ?? null,
      waits: waits?.why ?? null,
      files: [...(current ? [current] : []), ...(former ?? [])],
    };
  });
};
