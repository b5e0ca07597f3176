import { readFile } from 'node:fs/promises';
import { listRegisters } from '../../../features/registers/actions.ts';
import type { Config } from '../../../operate/config.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Db } from '../../../platform/mongo.ts';
import { requireSource, sourceNames } from '../../sources/sources.ts';
import { type Configured, parseConfigured } from './configured.rule.ts';
import { dueAt } from './due.rule.ts';
import type { Fetching } from './run.ts';

export { fetchDue } from './run.ts';

/** Settings that say which lists are fetched, from where, and where their files lie. */
export type RegisterSettings = Pick<Config, 'registers' | 'registersPorts' | 'registersAllowLoopback' | 'dataDir'>;

/** Reads the lists that a process fetches by itself. @throws DomainError invalid_input naming the setting, the file and every fault */
export const readConfigured = async (path: string): Promise<Configured[]> => {
  try {
    return parseConfigured(await readFile(path, 'utf8'), new Set(sourceNames()));
  } catch (error) {
    if (error instanceof DomainError) throw new DomainError('invalid_input', `REGISTERS: ${path}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    throw new DomainError('invalid_input', `REGISTERS: ${path} cannot be read (${code})`);
  }
};

export const fetchingBy = (
  { dataDir, registersPorts, registersAllowLoopback }: RegisterSettings,
  signal?: AbortSignal,
): Fetching => ({
  dataDir,
  rules: { ports: registersPorts, allowLoopback: registersAllowLoopback, httpsOnly: !registersAllowLoopback },
  signal,
});

/** Returns every list that has a mapping, with its state, and what is configured of it. */
export const listStates = async (db: Db, configured: readonly Configured[]) => {
  const states = new Map((await listRegisters(db)).map((state) => [state._id, state]));
  return sourceNames().map((name) => {
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
      nextAt: own ? dueAt(attempts, everyHours).toISOString() : null,
      failures: failures ?? 0,
      lastError: lastError ?? null,
      waits: waits?.why ?? null,
      files: [...(current ? [current] : []), ...(former ?? [])],
    };
  });
};
