import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importRows } from '../support/filled-service.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { measureCommand } from './command-usage.ts';

/**
 * Checks licences against a register of the size of ESMA's, in its form: pages of 1000 documents, firms and what they
 * may do. Prints time and the largest resident set of the command. `node bench/registers.ts [FIRMS] [DOCUMENTS]
 * [BROKERS]`
 */
const [firms = 14_000, documents = 102_000, brokers = 1000] = process.argv.slice(2).map(Number);
const PAGE = 1000;
const ROUNDS = 3;

const AUTHORITIES: readonly (readonly [code: string, state: string, authority: string])[] = [
  ['bafin', 'GERMANY', 'Federal Financial Supervisory Authority (BaFin)'],
  ['cysec', 'CYPRUS', 'Cyprus Securities and Exchange Commission (CySEC)'],
  ['cssf', 'LUXEMBOURG', 'Commission de Surveillance du Secteur Financier (CSSF)'],
  ['amf', 'FRANCE', 'Autorité des Marchés Financiers (AMF)'],
];
const pickAuthority = (n: number) => AUTHORITIES[n % AUTHORITIES.length] as (typeof AUTHORITIES)[number];

/** An LEI with its check digits (ISO 7064). */
const createLei = (n: number): string => {
  const start = `549300BENCH${String(n).padStart(7, '0')}`;
  const digits = [...`${start}00`].map((sign) => String(Number.parseInt(sign, 36))).join('');
  return `${start}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}`;
};
const createName = (n: number): string => `Bench Firm ${n} Wertpapierhandelsgesellschaft mbH`;

const createFirm = (n: number): object => {
  const [, state, authority] = pickAuthority(n);
  return {
    id: `ae${n}`,
    type_s: 'parent',
    entity_type: 'ae',
    _root_: `ae${n}`,
    ae_entityTypeCode: 'MIF',
    ae_entityTypeLabel: 'Investment firm',
    ae_entityName: createName(n),
    ae_commercialName: n % 3 === 0 ? `Bench ${n}` : '',
    ae_lei: n % 4 === 0 ? '' : createLei(n),
    ae_headOfficeLei: '',
    ae_competentAuthority: authority,
    ae_homeMemberState: state,
    ae_officeType: 'Head office',
    ae_headOfficeAddress: `${n} Example Street, 10115 Example`,
    ae_status: n % 6 === 0 ? 'Inactive' : 'Active',
    ae_authorisationNotificationDate: '2012-09-12T00:00:00Z',
    ae_authorisationNotificationDateStr: '12/09/2012',
    ae_lastUpdate: '2026-08-01T00:00:00Z',
    ae_website: n % 2 === 0 ? `https://www.bench-${n}.example` : '',
    ae_dbId: n,
  };
};
const createActivity = (n: number): object => ({
  id: `aeActivity${n}`,
  type_s: 'child',
  entity_type: 'aeActivity',
  _root_: `ae${n % firms}`,
  ac_serviceName: 'Reception and transmission of orders in relation to one or more financial instruments',
  ac_status: 'Active',
  ac_authorisationNotificationDate: '2012-09-12T00:00:00Z',
  ac_authorisationEndDate: '',
  ac_comment: '',
  ae_competentAuthority: pickAuthority(n)[2],
  ae_homeMemberState: pickAuthority(n)[1],
  ac_serviceCode: `${n % 18}`,
  ac_lastUpdate: '2026-08-01T00:00:00Z',
  ac_lastUpdateStr: '01/08/2026',
  timestamp: '2026-08-15T03:05:12.123Z',
  _version_: 1_840_000_000_000_000 + n,
});

const createPages = function* () {
  for (let at = 0; at < documents; at += PAGE) {
    const docs = Array.from({ length: Math.min(PAGE, documents - at) }, (_, n) =>
      at + n < firms ? createFirm(at + n) : createActivity(at + n - firms),
    );
    yield `${JSON.stringify({ response: { numFound: documents, start: at, docs }, nextCursorMark: `${at}` })}\n`;
  }
};

const folder = await mkdtemp(join(tmpdir(), 'bench-registers-'));
const service = await startProcess({ ...EMBEDDED, DATA_DIR: folder });
try {
  const file = join(folder, 'upreg.json');
  await pipeline(Readable.from(createPages()), createWriteStream(file));
  const rows = Array.from({ length: brokers }, (_, n) => {
    const number = Math.floor((n * firms) / brokers);
    const [code] = pickAuthority(number);
    const legalName = createName(number);
    const entity = { legalName, ...(n % 2 === 0 ? { lei: createLei(number) } : {}) };
    const licenses = [licenseRow(legalName, code, { referenceNumber: `${number}`, entity })];
    return brokerRow(`bench-${n}`, { legalName, entities: [{ legalName, country: 'DE' }], licenses });
  });
  await importRows(service, 'brokers', rows);
  const usage = join(folder, 'usage');
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const env = { PATH, HOME, XDG_CACHE_HOME, ...service.data };
  const command = ['license', 'check', '--register', 'esma', file, '--as-of', '2026-11-20', '--json'];
  const megabytes = ((await stat(file)).size / 1024 / 1024).toFixed(0);
  for (let round = 0; round < ROUNDS; round++) {
    const { out, seconds, rss, own } = await measureCommand(command, env, usage);
    const { rows: entries, findings } = JSON.parse(out) as { rows: number; findings: { change: string }[] };
    const changed = findings.filter(({ change }) => change !== '').length;
    process.stdout.write(
      `${entries} firms in ${documents} documents (${megabytes} MB), ${findings.length} licences of ours, ${changed} to change: ` +
        `${seconds.toFixed(1)} s, processor ${own.toFixed(1)} s, RSS at most ${(rss / 1024 / 1024).toFixed(0)} MB\n`,
    );
  }
} finally {
  await service.remove();
  await rm(folder, { recursive: true, force: true });
}
