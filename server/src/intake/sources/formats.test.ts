import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import type { LicenceEntry } from './entry.rule.ts';
import { findCountRefusal } from './expected.rule.ts';
import { normaliseNumber } from './licence.rule.ts';
import { readBytes, readSource } from './read.ts';
import type { LicenceSource } from './source.rule.ts';
import { requireSource } from './sources.ts';

const BOM = '\uFEFF';
const source = (name: string): LicenceSource => requireSource(name, 'licences');

const inParts = async function* (content: string | Buffer, part: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += part) yield bytes.subarray(at, at + part);
};
const read = async (name: string, content: string | Buffer, part = 7): Promise<LicenceEntry[]> => {
  const entries: LicenceEntry[] = [];
  for await (const entry of readBytes(inParts(content, part), source(name), '2026-11-20')) entries.push(entry);
  return entries;
};

const AFS = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_PRE_FSR';
const alpha = 'AFS Licence,000218600,ALPHA PTY LTD,85007186003,02/05/2002,"""General insurance broker"",""000030366"""';
const CVM = 'TP_PARTIC;CNPJ;DENOM_SOCIAL;DENOM_COMERC;DT_REG;DT_CANCEL;MOTIVO_CANCEL;SIT;DT_INI_SIT;CD_CVM';

describe('a table', () => {
  test.each<[string, string | Buffer]>([
    ['as it is published', `${AFS}\r\n${alpha}\r\n`],
    ['with a BOM', `${BOM}${AFS}\n${alpha}\n`],
    ['with a BOM and quotes around names of columns', `${BOM}"${AFS.replaceAll(',', '","')}"\n${alpha}\n`],
    ['with tabs', `${AFS.replaceAll(',', '\t')}\nx\t218600\tALPHA PTY LTD\t\t02/05/2002\t\n`],
    [
      'with other columns in another order',
      'AFS_LIC_NAME,AFS_LIC_START_DT,X,AFS_LIC_NUM\nALPHA PTY LTD,2/5/2002,,218600\n',
    ],
    [
      'with lower-case columns and ISO dates',
      'afs_lic_num,afs_lic_name,afs_lic_start_dt\n218600,ALPHA PTY LTD,2002-05-02\n',
    ],
  ])('a table is read %s', async (_, content) => {
    const entry = { at: 'line 2', numbers: ['218600'], name: 'ALPHA PTY LTD', status: 'active', since: '2002-05-02' };
    expect(await read('asic', content)).toMatchObject([entry]);
    expect(await read('asic', content, 100_000)).toMatchObject([entry]);
  });

  test.each<[string, string, LicenceEntry['status'], string | undefined]>([
    ['APPR', '', 'active', undefined],
    ['Susp', '', 'suspended', undefined],
    ['CEASED', '', 'withdrawn', undefined],
    ['APPR', '01/02/2026', 'withdrawn', '2026-02-01'],
    ['APPR', '01/02/2027', 'active', undefined],
    ['ODD', '', null, undefined],
  ])('a table gives status %j with end %j as %s', async (status, end, expected, since) => {
    const [entry] = await read(
      'asic',
      `AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_STATUS,AFS_LIC_END_DT\n1,A,${status},${end}\n`,
    );
    expect([entry?.status, entry?.statusSince]).toEqual([expected, since]);
  });

  test.each([
    ['UTF-8', Buffer.from('AFS_LIC_NUM,AFS_LIC_NAME\n1,Café – Ltd\n')],
    ['Windows-1252', Buffer.from('AFS_LIC_NUM,AFS_LIC_NAME\n1,Caf\xe9 \x96 Ltd\n', 'latin1')],
  ])('a table has names in %s', async (_, content) => {
    expect((await read('asic', content))[0]?.name).toBe('Café – Ltd');
  });

  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'it has no rows'],
    ['a header alone', `${AFS}\n`, 'it has no rows'],
    [
      'the list of credit licensees',
      'REGISTER_NAME,CRED_LIC_NUM,CRED_LIC_NAME\nx,1,y\n',
      "line 1: is not ASIC's list of AFS licensees: it has no column AFS_LIC_NUM, AFS_LIC_NAME (but " +
        'REGISTER_NAME, CRED_LIC_NUM, CRED_LIC_NAME, …)',
    ],
    ['an Excel file', Buffer.from('PK\x03\x04\0\0\0\0\n', 'latin1'), 'a ZIP or Excel file'],
    ['UTF-16', Buffer.from(`${BOM}${AFS}\n`, 'utf16le'), 'UTF-16'],
    ['a web page', '<!doctype html>\n', 'a web page'],
    [
      'a column twice',
      'AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_NUM\n1,a,2\n',
      'line 1, column 3: "AFS_LIC_NUM" is there twice',
    ],
    ['no number', 'AFS_LIC_NUM,AFS_LIC_NAME\n1,a\n,b\n', 'line 3, column AFS_LIC_NUM: is empty'],
    ['no name', 'AFS_LIC_NUM,AFS_LIC_NAME\n1,\n', 'line 2, column AFS_LIC_NAME: is empty'],
    [
      'a date that is none',
      `${AFS}\n${alpha.replace('02/05', '31/02')}\n`,
      'line 2, column AFS_LIC_START_DT: "31/02/2002" is not a day as dd/mm/yyyy',
    ],
    ['a row that is cut off', `${AFS}\n${alpha}\nAFS Licence,2`, 'after line 2, where the last whole row ends'],
  ])('a table is refused with %s', async (_, content, message) => {
    await expect(read('asic', content)).rejects.toThrow(message);
  });
});

test.each([
  ['asic', 'AFSL 218 600', '218600'],
  ['asic', 'No. 000218600', '218600'],
  ['asic', 'none', ''],
  ['sca-ae', 'CP-0001315', 'CP0001315'],
  ['sca-ae', 'cp 0001315', 'CP0001315'],
  ['esma', '123', ''],
])('the source %s reads the number %j as %j', (name, given, normal) => {
  expect(normaliseNumber(source(name), given)).toBe(normal);
});

describe.each(['asic', 'cvm'])('any file, read as %s,', (name) => {
  const piece = fc.constantFrom(
    ...[`${AFS}\n`, `${alpha}\r\n`, `${CVM}\n`, 'AFS_LIC_NUM\tAFS_LIC_NAME\n', '1\tA\n', '\n', '"', '""', ','],
    ...['1,2;3', ';;;', 'Caf\u00E9', '\u0096', '\u00FF\u00FE', '\u00EF\u00BB\u00BF', '\0', '\r', '<', '{'],
  );
  const file = fc.oneof(
    fc.array(piece).map((pieces) => Buffer.from(pieces.join(''), 'latin1')),
    fc
      .tuple(fc.constantFrom(AFS, CVM), fc.array(piece))
      .map(([header, pieces]) => Buffer.from(`${header}\n${pieces.join('')}`, 'latin1')),
  );
  const outcome = async (content: Buffer, part: number): Promise<LicenceEntry[] | string> => {
    try {
      return await read(name, content, part);
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      return (error as Error).message;
    }
  };

  test('yields rows or is refused, with the same result for chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 50 }), async (content, part) => {
        const whole = await outcome(content, 1_000_000);
        expect(await outcome(content, part)).toEqual(whole);
        if (typeof whole === 'string') expect(whole).toMatch(/\bline \d+|\bis not/);
      }),
      { seed: 20_261_121, numRuns: 150 },
    );
  });
});

test('JSON is refused if no row has a field that the source needs, though each can be read without it', async () => {
  const doc = {
    entity_type: 'ae',
    ae_entityTypeCode: 'MIF',
    ae_entityName: 'Alpha Ltd',
    ae_competentAuthority: 'Finanstilsynet',
    ae_homeMemberState: 'DENMARK',
    ae_status: 'Active',
  };
  const file = (...docs: object[]) => JSON.stringify({ response: { docs } });
  await expect(read('esma', file(doc, doc))).rejects.toThrow('no row has ae_lei');
  expect(await read('esma', file(doc, { ...doc, ae_lei: '-' }))).toHaveLength(2);
});

describe('a packed file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sources-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const readFile = async (name: string, bytes: Buffer, over: Partial<LicenceSource> = {}) => {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    const entries: LicenceEntry[] = [];
    for await (const entry of readSource(path, { ...source(name), ...over }, '2026-11-20')) entries.push(entry);
    return entries;
  };
  const CSV = `${CVM}\nCORRETORAS;1;A;;;;;EM FUNCIONAMENTO NORMAL;;7\n`;
  const zip = { member: 'cad_intermed.csv', maxBytes: 1000 };

  test('a packed file is read unpacked, as GZIP, and no further than its bound', async () => {
    expect(await readFile('cvm', Buffer.from(CSV))).toMatchObject([{ name: 'A', numbers: ['7', '1'] }]);
    expect(await readFile('cvm', gzipSync(CSV))).toMatchObject([{ name: 'A' }]);
    const bomb = gzipSync(Buffer.concat([Buffer.from(CSV), Buffer.alloc(5_000_000, 'x')]));
    await expect(readFile('cvm', bomb, { zip })).rejects.toThrow('unpacks to more than 1000 bytes');
    await expect(readFile('cvm', gzipSync(CSV).subarray(0, 40))).rejects.toThrow('no whole GZIP');
    await expect(readFile('cvm', Buffer.from('PK\x03\x04junk', 'latin1'))).rejects.toThrow('no whole ZIP');
  });
});

test.each<[number, { last?: number; least?: number }, string | undefined]>([
  [5000, {}, undefined],
  [4999, {}, 'at least 5000'],
  [20_001, {}, 'at most 20000'],
  [8000, { last: 10_000 }, undefined],
  [7999, { last: 10_000 }, 'the last good file had 10000'],
  [4000, { last: 10_000, least: 4000 }, undefined],
  [3999, { least: 4000 }, 'fewer than the 4000'],
])('a file with %i entries, where %j is known, is refused for %s', (entries, known, reason) => {
  const refusal = findCountRefusal(
    { title: 'the list', expected: { min: 5000, max: 20_000, share: 0.8 } },
    entries,
    known,
  );
  if (reason === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(reason);
});
