import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Kept between runs, like the compilers and runtimes. */
const FOLDER = join(import.meta.dirname, '../../../.cache/generator-tools');

const NPM = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '8.38.0',
  typescript: '5.9.3',
};

/** The package openapi-generator-cli on PyPI contains the jar. Generated code needs the others. */
export const PYPI = {
  'openapi-generator-cli': '7.26.0',
  'openapi-python-client': '0.29.1',
  pydantic: '2.14.3',
  'python-dateutil': '4.0.0',
  urllib3: '2.8.0',
};

const binaries = join(FOLDER, 'node_modules/.bin');
const venv = join(FOLDER, 'python/bin');

/** PATH with the generators. Java, Go and Python come from the caller's PATH. */
export const generatorPath = `${binaries}:${venv}:${process.env['PATH']}`;
export const generatorModules = join(FOLDER, 'node_modules');

/** Installs the generators without running their scripts. */
export const installGenerators = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  // The newest orval needs a version that not every registry has.
  const manifest = { private: true, dependencies: NPM, overrides: { '@scalar/openapi-parser': '0.29.8' } };
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], { cwd: FOLDER });
  await run('python3', ['-m', 'venv', join(FOLDER, 'python')]);
  const packages = Object.entries(PYPI).map(([name, version]) => `${name}==${version}`);
  await run(join(venv, 'pip'), ['install', '--quiet', '--only-binary', ':all:', ...packages]);
};
