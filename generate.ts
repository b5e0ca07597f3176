/**
 * Makes the files that the code needs and git does not hold: the client's types and routes, the site's texts, the
 * documentation in one file, and the site's style, scripts, guides and fonts. Does nothing while inputs and outputs are
 * as the last run left them.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Texts or bytes by their path from the root of the project. */
type Files = Readonly<Record<string, string | Buffer>>;

const OUTPUTS = [
  'client/src/generated/*',
  'packages/portal/src/generated/*',
  'server/data/docs/*',
  'server/data/fonts/*',
  'server/data/llms-full.txt',
  'server/data/methodology/*',
  'server/data/site/*',
];
/** Test vectors of each version of the methodology, and its second implementation. */
const METHODOLOGY_FILES = ['contract/methodology/*.ndjson', 'docs/methodology/*.py'];
const INPUTS = [
  '{contract,client,packages/{kernel,log,portal,service-level}}/{src,scripts,style}/**/*.*',
  '{docs,.changeset}/**/*.md',
  ...METHODOLOGY_FILES,
  '{contract,client,server,packages/*}/*.{json,md}',
  'generate.ts',
  'pnpm-lock.yaml',
];
/** Holds the hash of the inputs and outputs of the last run. */
const STAMP = '.cache/generated';

process.chdir(import.meta.dirname);

const readAll = (patterns: readonly string[], exclude: readonly string[] = []): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(
    globSync(patterns, { exclude: ['**/node_modules', ...exclude] }).map((path) => [path, readFileSync(path)]),
  );

const hashBytes = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const hash = (...parts: readonly Files[]): string =>
  hashBytes(
    JSON.stringify(
      parts.map((files) =>
        Object.entries(files)
          .map(([path, bytes]) => [path, hashBytes(bytes)])
          .sort(),
      ),
    ),
  );

/** Processes that read or write the same file at the same time find the whole old text or the whole new one. */
const write = (path: string, text: string | Buffer): void => {
  const part = `.cache/${process.pid}.part`;
  for (const each of [part, path]) mkdirSync(dirname(each), { recursive: true });
  writeFileSync(part, text);
  renameSync(part, path);
};

const writeChanged = (files: Files): void => {
  const existing = readAll(OUTPUTS);
  for (const [path, text] of Object.entries(files)) if (!existing[path]?.equals(Buffer.from(text))) write(path, text);
};

const within = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

const makeAll = async (): Promise<Files> => {
  const { generatedFiles } = await import('./client/scripts/files.ts');
  const client = within('client/src/generated', await generatedFiles());
  const { buildSiteTexts } = await import('./packages/portal/scripts/texts.ts');
  const texts = within('packages/portal/src/generated', buildSiteTexts());
  writeChanged({ ...client, ...texts }); // the scripts of pages bundle them
  const { llmsFiles } = await import('./client/scripts/llms.ts');
  const { siteFonts } = await import('./packages/portal/scripts/fonts.ts');
  const { siteAssets } = await import('./packages/portal/scripts/assets.ts');
  const { buildSiteGuides } = await import('./packages/portal/scripts/guides.ts');
  return {
    ...client,
    ...texts,
    'server/data/llms-full.txt': (await llmsFiles())['llms-full.txt'],
    ...Object.fromEntries(
      Object.entries(readAll(METHODOLOGY_FILES)).map(([path, text]) => [
        `server/data/methodology/${basename(path)}`,
        text,
      ]),
    ),
    ...within('server/data/site', await siteAssets()),
    ...within('server/data/docs', buildSiteGuides()),
    ...within('server/data/fonts', siteFonts()),
  };
};

const inputs = readAll(INPUTS, OUTPUTS);
const existing = readAll(OUTPUTS);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== hash(inputs, existing)) {
  const made = await makeAll();
  writeChanged(made);
  for (const path of Object.keys(existing)) if (!(path in made)) rmSync(path, { force: true });
  write(STAMP, hash(inputs, made));
}
