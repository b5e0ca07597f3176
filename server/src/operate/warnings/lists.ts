import { regulatorNames } from '../../features/regulators/facts.ts';
import type { WarningList } from '../../features/warnings/warning.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readPlainList } from './plain-list.ts';

/** How a list is read that no mapping file covers. */
export interface ListOptions {
  readonly source: string;
  readonly authority?: string;
  readonly listUrl?: string;
  readonly newest?: boolean;
}

/** A list with the terms of its data. */
interface ReadList {
  readonly list: WarningList;
  readonly license: string | null;
  readonly attribution: string | null;
}

const plainList = async (file: string, asOf: string, options: ListOptions): Promise<ReadList> => {
  const { source, authority: code, listUrl: url, newest = false } = options;
  if (code === undefined || url === undefined)
    throw new DomainError('invalid_input', 'A list in the plain form needs --authority and --list-url.');
  if (!/^[a-z0-9-]{2,40}$/.test(source))
    throw new DomainError(
      'invalid_input',
      '--source: give lower-case letters, digits and hyphens, such as "fca-by-hand".',
    );
  const name = (await regulatorNames()).find((regulator) => regulator.code === code)?.name;
  if (name === undefined)
    throw new DomainError('invalid_input', `There is no regulator "${code}". See: GET /regulators`);
  const { entries, sha256 } = await readPlainList(file, { code, name });
  return {
    list: { source, url, isFull: !newest, asOf, sha256, credit: null, entries },
    license: null,
    attribution: null,
  };
};

/** Reads a list of warnings. @throws DomainError unreadable_file, invalid_input */
export const listFrom = (file: string, asOf: string, options: ListOptions): Promise<ReadList> =>
  plainList(file, asOf, options);
