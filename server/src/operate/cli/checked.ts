import type { RegisterCheck } from '../../intake/registers/check.ts';
import type { Finding } from '../../intake/registers/compare.rule.ts';
import type { LicenceSource } from '../../intake/sources/source.rule.ts';
import { print, printRows } from './output.ts';

/** Returns a finding as a row. */
export const toFindingRow = ({ ours, changes, status, newName, unclear, overruled }: Finding) => ({
  broker: ours.broker,
  referenceNumber: ours.license.referenceNumber,
  entity: ours.license.entity.legalName,
  before: ours.license.status,
  change: unclear === undefined ? [...changes, ...(overruled ? ['overruled'] : [])].join(', ') : 'unclear',
  after: unclear === undefined ? status : null,
  newName: newName ?? null,
  note: unclear ?? null,
});

/** Prints what a register's file says of our licences. */
export const printRegisterCheck = (
  { findings, rows, unknown }: RegisterCheck,
  source: LicenceSource,
  asOf: string,
): void => {
  const noted = findings.filter(({ changes, unclear }) => changes.length > 0 || unclear !== undefined);
  printRows(
    noted.map(toFindingRow),
    [
      'broker',
      ['number', 'referenceNumber'],
      'entity',
      'before',
      'change',
      'after',
      ['note', (one) => one.note ?? (one.newName === null ? '' : `new name: ${one.newName}`)],
    ],
    false,
  );
  const unclear = noted.filter((finding) => finding.unclear !== undefined).length;
  const overruled = findings.filter((finding) => finding.overruled && finding.changes.length === 0).length;
  print(
    `${source.publisher} as of ${asOf.slice(0, 10)}, ${rows} entries: ${findings.length} licences of ours compared, ` +
      `${findings.length - noted.length - overruled} as we have them, ${noted.length - unclear} changed, ` +
      `${unclear} unclear${overruled > 0 ? `, ${overruled} overruled` : ''}.`,
  );
  const others = [...unknown].sort(([, a], [, b]) => b - a);
  if (others.length > 0)
    print(
      `Not read, since the mapping knows no such authority: ${others
        .slice(0, 10)
        .map(([words, count]) => `"${words}" (${count})`)
        .join(', ')}${others.length > 10 ? ` and ${others.length - 10} more` : ''}.`,
    );
};
