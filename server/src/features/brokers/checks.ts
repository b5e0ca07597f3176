import type { TxContext } from '../../ledger/context.ts';
import { findOwnClaims, type WriteCause } from '../../ledger/statements/record.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type LicenseCheck, requireCompared, toRegisterClaims } from './check.rule.ts';
import { readKnownBrokers, recordClaims } from './known.ts';
import type { LicenseRecord } from './record.rule.ts';

/**
 * Records a register's findings about a broker's licences. Returns the compared licences whose published state changed.
 * @throws DomainError state_conflict if the broker was changed meanwhile
 */
export const recordLicenseCheck = async (
  c: TxContext,
  slug: string,
  check: LicenseCheck,
  { reason, ...occasion }: WriteCause & { readonly reason: string },
): Promise<ReadonlySet<LicenseRecord>> => {
  const known = (await readKnownBrokers([slug], c.tx)).get(slug);
  if (!known?.state) throw new DomainError('state_conflict', `The broker "${slug}" no longer exists: check again.`);
  requireCompared(slug, known.state.licenses, check);
  const { sourceUrl, attribution } = check.source;
  const source = { kind: 'register', name: check.register } as const;
  const origin = { source, url: sourceUrl, credit: attribution, validFrom: null };
  const said = toRegisterClaims(check, findOwnClaims(source, known));
  const recorded = await recordClaims(c, known, said, { origin, asOf: new Date(check.asOf), isWhole: true, occasion });
  const published = recorded?.after?.licenses ?? known.state.licenses;
  const moved = new Set<LicenseRecord>();
  for (const { compared, newName } of check.licenses) {
    const { regulatorCode: regulator, referenceNumber, entity, status } = compared;
    const names = [newName, entity.legalName];
    const found = published.filter((one) => one.regulatorCode === regulator && one.referenceNumber === referenceNumber);
    const now = names.flatMap((name) => found.find((one) => one.entity.legalName === name) ?? []).at(0);
    const holder = now?.entity.legalName ?? entity.legalName;
    if (now && now.status !== status) moved.add(compared);
    const before = { regulator, referenceNumber, holder: entity.legalName, status };
    const after = {
      regulator,
      referenceNumber,
      holder,
      status: now?.status ?? status,
      renamed: holder !== entity.legalName,
    };
    c.audit('license.checked', { kind: 'broker', id: known.subject.name }, { before, after, reason });
  }
  return moved;
};
