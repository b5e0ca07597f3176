import type { LicenseStatus } from '@broker-transparency/contract';
import type { RegisterAdapter } from '../adapter.rule.ts';
import { readTable } from '../table.ts';

const TITLE = "CVM's register of intermediaries (cad_intermed.csv)";

/** Values of SIT. Any other value is left to the operator. */
const STATUSES: Readonly<Record<string, LicenseStatus>> = {
  'EM FUNCIONAMENTO NORMAL': 'active',
  SUSPENSA: 'suspended',
  SUSPENSO: 'suspended',
  CANCELADA: 'withdrawn',
  CANCELADO: 'withdrawn',
};

const digits = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

/** Comissão de Valores Mobiliários of Brazil: intermediaries, including cancelled registrations, published daily. */
export const cvm: RegisterAdapter = {
  name: 'cvm',
  regulatorCode: 'cvm',
  title: TITLE,
  publisher: 'CVM',
  sourceUrl: 'https://dados.cvm.gov.br/dataset/intermed-cad',
  license: null,
  attribution: 'Comissão de Valores Mobiliários, Portal Dados Abertos',
  currentOnly: false,
  normalise: digits,
  read: (chunks) =>
    readTable(chunks, {
      title: TITLE,
      required: ['TP_PARTIC', 'CNPJ', 'DENOM_SOCIAL', 'SIT', 'CD_CVM'],
      delimiters: [';'],
      quoted: false,
      entry: ({ line, get, filled, day }) => {
        const statusText = filled('SIT');
        const since = day('DT_REG');
        const statusSince = day('DT_INI_SIT');
        const numbers = [digits(get('CD_CVM')), digits(filled('CNPJ'))].filter((number) => number !== '');
        return {
          line,
          referenceNumber: numbers[0] ?? '',
          otherNumbers: numbers.slice(1),
          entityName: filled('DENOM_SOCIAL'),
          status: STATUSES[statusText.toUpperCase()] ?? null,
          statusText,
          ...(statusSince === undefined ? {} : { statusSince }),
          ...(since === undefined ? {} : { since }),
        };
      },
    }),
};
