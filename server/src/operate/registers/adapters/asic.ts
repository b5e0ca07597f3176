import type { LicenseStatus } from '@broker-transparency/contract';
import type { RegisterAdapter } from '../adapter.rule.ts';
import { readTable } from '../table.ts';

const TITLE = "ASIC's list of AFS licensees";

/** Values of AFS_LIC_STATUS, which only some editions have: codes of ASIC or words. */
const STATUSES: Readonly<Record<string, LicenseStatus>> = {
  '': 'active',
  APPR: 'active',
  APPROVED: 'active',
  CURRENT: 'active',
  SUSP: 'suspended',
  SUSPENDED: 'suspended',
  CANC: 'withdrawn',
  CANCELLED: 'withdrawn',
  CEAS: 'withdrawn',
  CEASED: 'withdrawn',
};

const digits = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

/** Australian Securities and Investments Commission: Australian financial services licensees, published weekly. */
export const asic: RegisterAdapter = {
  name: 'asic',
  regulatorCode: 'asic',
  title: TITLE,
  publisher: 'ASIC',
  sourceUrl: 'https://data.gov.au/data/dataset/asic-afs-licensee',
  license: 'CC BY 3.0 AU',
  attribution: 'Australian Securities and Investments Commission, AFS Licensee Dataset',
  currentOnly: true,
  normalise: digits,
  read: (chunks) =>
    readTable(chunks, {
      title: TITLE,
      required: ['AFS_LIC_NUM', 'AFS_LIC_NAME'],
      delimiters: [',', '\t'],
      quoted: true,
      entry: ({ line, get, filled, day }) => {
        const statusText = get('AFS_LIC_STATUS');
        const since = day('AFS_LIC_START_DT');
        const end = day('AFS_LIC_END_DT');
        return {
          line,
          referenceNumber: digits(filled('AFS_LIC_NUM')),
          otherNumbers: [],
          entityName: filled('AFS_LIC_NAME'),
          status: end === undefined ? (STATUSES[statusText.toUpperCase()] ?? null) : 'withdrawn',
          statusText: end === undefined ? statusText : `ended on ${end}`,
          ...(end === undefined ? {} : { statusSince: end }),
          ...(since === undefined ? {} : { since }),
        };
      },
    }),
};
