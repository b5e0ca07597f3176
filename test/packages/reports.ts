import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { reportOpenApi } from './report-openapi.ts';
import { compareReports } from './report-text.ts';
import { reportTypes } from './report-types.ts';

/* What is published, as reports that are kept in git: of each entry of contract and client, and of each OpenAPI document. */

const ROOT = join(import.meta.dirname, '../..');
const REPORTS = join(import.meta.dirname, 'reports');

/** The packages whose types are published. */
export const TYPED = ['contract', 'client'] as const;
type TypedPackage = (typeof TYPED)[number];

/** Texts by file name, such as `contract/index.txt`. */
type Reports = Readonly<Record<string, string>>;

type Exports = Readonly<Record<string, { readonly '@broker-transparency/source'?: string }>>;

/** Makes the reports of a package's entries from its sources. */
export const makeTypeReports = async (name: TypedPackage): Promise<Reports> => {
  const folder = join(ROOT, name);
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { exports: Exports };
  const entries = Object.entries(exports).flatMap(([entry, { '@broker-transparency/source': source }]) =>
    source === undefined ? [] : [[entry, join(folder, source)]],
  );
  const reports = reportTypes(join(folder, 'src'), Object.fromEntries(entries));
  return Object.fromEntries(
    Object.entries(reports).map(([entry, text]) => [`${name}/${entry === '.' ? 'index' : entry.slice(2)}.txt`, text]),
  );
};

/** Makes the reports of the OpenAPI documents. */
export const makeOpenApiReports = (): Reports => {
  const given = { serverUrl: 'https://brokers.example', version: '1.0.0' };
  return {
    'openapi/public.txt': reportOpenApi(openApiDocument(given)),
    'openapi/record.txt': reportOpenApi(recordOpenApiDocument(given)),
    'openapi/account.txt': reportOpenApi(accountOpenApiDocument(given)),
    'openapi/enterprise.txt': reportOpenApi(enterpriseOpenApiDocument(given)),
  };
};

const readReports = async (folder: string): Promise<Reports> => {
  const files = await readdir(join(REPORTS, folder), { recursive: true });
  const names = files.filter((name) => name.endsWith('.txt')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(REPORTS, folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, at) => [`${folder}/${name}`, texts[at] ?? '']));
};

/** Returns the differences between the kept reports of a folder and those of the code. */
export const findChanges = async (folder: string, now: Reports): Promise<string[]> => {
  const kept = await readReports(folder);
  const names = [...new Set([...Object.keys(kept), ...Object.keys(now)])].sort();
  return names.flatMap((name) =>
    compareReports(kept[name] ?? '', now[name] ?? '').map((change) => `${name.replace('.txt', '')} ${change}`),
  );
};

/** Replaces the kept reports by those of the code. */
export const acceptReports = async (): Promise<void> => {
  const reports = { ...makeOpenApiReports() };
  for (const name of TYPED) Object.assign(reports, await makeTypeReports(name));
  await rm(REPORTS, { recursive: true, force: true });
  for (const [name, text] of Object.entries(reports)) {
    await mkdir(dirname(join(REPORTS, name)), { recursive: true });
    await writeFile(join(REPORTS, name), text);
  }
};
