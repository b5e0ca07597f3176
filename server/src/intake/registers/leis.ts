import { listIdentities } from '../../features/brokers/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { readSource } from '../sources/read.ts';
import type { IdentitySource } from '../sources/source.rule.ts';
import { listLeiFaults, type OurIdentity } from './leis.rule.ts';

/** Findings of a register of LEIs about one of our entities. */
interface LeiFinding extends OurIdentity {
  readonly note: string;
}

export interface LeiCheck {
  readonly findings: readonly LeiFinding[];
  /** Records in the file. */
  readonly rows: number;
  /** Number of our entities with an LEI, and of those in the file. */
  readonly ours: number;
  readonly found: number;
}

/** Compares our LEIs with the records of a file. Writes nothing. @throws DomainError unreadable_file */
export const checkLeis = async (db: Db, source: IdentitySource, file: string, asOf: string): Promise<LeiCheck> => {
  const ours = await listIdentities(db);
  const byLei = Map.groupBy(ours, ({ lei }) => lei);
  const findings: LeiFinding[] = [];
  const found = new Set<OurIdentity>();
  let rows = 0;
  for await (const entry of readSource(file, source, asOf.slice(0, 10))) {
    rows++;
    for (const one of byLei.get(entry.lei) ?? []) {
      found.add(one);
      for (const note of listLeiFaults(one, entry)) findings.push({ ...one, note });
    }
  }
  return { findings, rows, ours: ours.length, found: found.size };
};
