import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { RegulatorRecord } from './features/regulators/record.rule.ts';
import { lazy } from './platform/lazy.ts';

/** Returns the regulators that ship with the service: public facts, each with its sources. */
export const referenceRegulators = (): RegulatorRecord[] =>
  z.array(RegulatorRecord).parse(JSON.parse(readFileSync(new URL('../data/regulators.json', import.meta.url), 'utf8')));

/** The folder with the templates of mail, by language. */
export const mailTemplates = new URL('../data/mail/', import.meta.url);

/** The folder with the style and the scripts of the site: `pnpm generate` makes them. */
export const siteFolder = new URL('../data/site/', import.meta.url);

/** The folder with the fonts of pictures: `pnpm generate` copies them. */
export const fontsFolder = new URL('../data/fonts/', import.meta.url);

/** The folder with the texts of the documentation: `pnpm generate` makes them. */
export const docsFolder = new URL('../data/docs/', import.meta.url);

/** Returns the bundled mapping files of published registers and lists, by name. */
export const sourceFiles = (): Map<string, unknown> => {
  const folder = new URL('../data/sources/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    names.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
  );
};

/** The folder with the test vectors of the methodology and its second implementation: `pnpm generate` copies them. */
export const methodologyFolder = new URL('../data/methodology/', import.meta.url);

/** The documentation of the client and the API in one file: `pnpm generate` makes it. */
export const fullDocumentation = new URL('../data/llms-full.txt', import.meta.url);

/** Reads a file of the site. */
export const readSiteFile = (name: string): string => readFileSync(new URL(name, siteFolder), 'utf8');

/** Returns the style of the status page, which is a part of it: `pnpm generate` makes it. */
export const statusStyle = lazy(() => readSiteFile('status.css'));
