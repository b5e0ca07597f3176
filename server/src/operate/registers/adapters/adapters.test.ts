import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../platform/domain-error.ts';
import type { RegisterAdapter, RegisterEntry } from '../adapter.rule.ts';
import { asic } from './asic.ts';
import { cvm } from './cvm.ts';

const BOM = '\uFEFF';

const read = async (adapter: RegisterAdapter, content: string | Buffer, part = 7): Promise<RegisterEntry[]> => {
  const bytes = Buffer.from(content as string);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += part) yield bytes.subarray(at, at + part);
  };
  const entries: RegisterEntry[] = [];
  for await (const entry of adapter.read(chunks())) entries.push(entry);
  return entries;
};

const AFS = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_PRE_FSR';
const alpha = 'AFS Licence,000218600,ALPHA PTY LTD,85007186003,02/05/2002,"""General insurance broker"",""000030366"""';
const alphaEntry = {
  line: 2,
  referenceNumber: '218600',
  otherNumbers: [],
  entityName: 'ALPHA PTY LTD',
  status: 'active',
  statusText: '',
  since: '2002-05-02',
};

describe('ASIC', () => {
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
  ])('is read %s', async (_, content) => {
    expect(await read(asic, content)).toEqual([alphaEntry]);
    expect(await read(asic, content, 100_000)).toEqual([alphaEntry]);
  });

  test.each<[string, string, RegisterEntry['status']]>([
    ['APPR', '', 'active'],
    ['Susp', '', 'suspended'],
    ['CEASED', '', 'withdrawn'],
    ['APPR', '01/02/2026', 'withdrawn'],
    ['ODD', '', null],
  ])('reads status %j with end %j as %s', async (status, end, expected) => {
    const [entry] = await read(asic, `AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_STATUS,AFS_LIC_END_DT\n1,A,${status},${end}\n`);
    expect(entry?.status).toBe(expected);
    expect(entry?.statusSince).toBe(end === '' ? undefined : '2026-02-01');
  });

  test.each([
    ['UTF-8', Buffer.from('AFS_LIC_NUM,AFS_LIC_NAME\n1,Café – Ltd\n')],
    ['Windows-1252', Buffer.from('AFS_LIC_NUM,AFS_LIC_NAME\n1,Caf\xe9 \x96 Ltd\n', 'latin1')],
  ])('reads names in %s', async (_, content) => {
    expect((await read(asic, content))[0]?.entityName).toBe('Café – Ltd');
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
  ])('refuses %s', async (_, content, message) => {
    await expect(read(asic, content)).rejects.toThrow(message);
  });

  test.each([
    ['218600', '218600'],
    ['AFSL 218 600', '218600'],
    ['No. 000218600', '218600'],
    ['none', ''],
  ])('normalises number %j to %j', (given, normal) => {
    expect(asic.normalise(given)).toBe(normal);
  });
});

const CVM = 'TP_PARTIC;CNPJ;DENOM_SOCIAL;DENOM_COMERC;DT_REG;DT_CANCEL;MOTIVO_CANCEL;SIT;DT_INI_SIT;CD_CVM';

describe('CVM', () => {
  test('is read as published', async () => {
    const rows = [
      'CORRETORAS;02.332.886/0001-04;AÇÃO "X" CCTVM S.A.;AÇÃO;1997-12-05;;;EM FUNCIONAMENTO NORMAL;1998-02-10;3247',
      'BANCOS;11.222.333/0001-81;BANCO Y;;;2001-01-02;;CANCELADA;2001-01-02;77',
      'BANCOS;11.222.334/0001-81;BANCO Z;;;;;EM LIQUIDAÇÃO;;78',
    ];
    const content = Buffer.from(`${[CVM, ...rows].join('\r\n')}\r\n`, 'latin1');
    expect(await read(cvm, content)).toMatchObject([
      {
        line: 2,
        referenceNumber: '3247',
        otherNumbers: ['2332886000104'],
        entityName: 'AÇÃO "X" CCTVM S.A.',
        status: 'active',
        statusSince: '1998-02-10',
        since: '1997-12-05',
      },
      { referenceNumber: '77', status: 'withdrawn', statusSince: '2001-01-02' },
      { referenceNumber: '78', status: null, statusText: 'EM LIQUIDAÇÃO' },
    ]);
  });

  test.each([
    ["ASIC's file", `${AFS}\n${alpha}\n`, 'is not CVM'],
    ['the table of officers', 'CNPJ;TP_RESP;RESP\n1;2;3\n', 'it has no column TP_PARTIC'],
    ['the ZIP around it', 'PK\x03\x04\n', 'unpack it'],
  ])('refuses %s', async (_, content, message) => {
    await expect(read(cvm, content)).rejects.toThrow(message);
  });
});

describe.each([asic, cvm])('any file, read as $name,', (adapter) => {
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
  const outcome = async (content: Buffer, part: number): Promise<RegisterEntry[] | string> => {
    try {
      return await read(adapter, content, part);
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      return (error as Error).message;
    }
  };

  test('yields rows or is refused with a line number, with the same result for chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 50 }), async (content, part) => {
        const whole = await outcome(content, 1_000_000);
        expect(await outcome(content, part)).toEqual(whole);
        if (typeof whole === 'string') expect(whole).toMatch(/\bline \d+/);
      }),
      { seed: 20_261_121, numRuns: 150 },
    );
  });
});
