import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createToken, type FilledProcess, startFilledProcess } from '../../support/filled-service.ts';
import * as programs from './generated-programs.ts';
import { generatorModules, generatorPath, installGenerators } from './generator-tools.ts';

/* Generates clients from the OpenAPI document of a running service with common generators, and runs them. */

const run = promisify(execFile);

type GeneratorAttempt = (name: string, expected: string, outcome: () => Promise<string>) => Promise<void>;
type GeneratorCommand = readonly [command: string, ...args: string[]];

interface Generator {
  readonly name: string;
  /** Creates `generated` from `openapi.json`. */
  readonly generate: GeneratorCommand;
  readonly language: Language;
  /** The program that uses the generated code. */
  readonly program: string;
}

interface Language {
  readonly file: string;
  readonly compile: readonly GeneratorCommand[];
  readonly run: GeneratorCommand;
}

const SETTINGS = {
  compilerOptions: {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: false,
  },
  files: ['app.ts'],
};

const TYPESCRIPT: Language = {
  file: 'app.ts',
  compile: [['tsc', '-p', '.']],
  run: [process.execPath, 'app.mjs'],
};
const PYTHON: Language = {
  file: 'app.py',
  compile: [['python', '-W', 'error', '-m', 'compileall', '-q', 'generated', 'app.py']],
  run: ['python', 'app.py'],
};
const GO: Language = {
  file: 'app.go',
  compile: [
    ['go', 'vet', './...'],
    ['go', 'build', '-o', 'app', '.'],
  ],
  run: ['./app'],
};

const openApiGenerator = (name: string, ...options: string[]): GeneratorCommand => [
  'openapi-generator-cli',
  'generate',
  '-g',
  name,
  '-i',
  'openapi.json',
  ...options,
];

const orvalSettings = (baseUrl: string): string =>
  `export default { api: { input: 'openapi.json', output: { target: 'generated/api.ts', client: 'fetch', ` +
  `baseUrl: '${baseUrl}' } } };`;

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    language: TYPESCRIPT,
    program: programs.OPENAPI_TYPESCRIPT,
    generate: ['openapi-typescript', 'openapi.json', '-o', 'generated/api.ts'],
  },
  {
    name: 'hey-api',
    language: TYPESCRIPT,
    program: programs.HEY_API,
    generate: ['openapi-ts', '-i', 'openapi.json', '-o', 'generated'],
  },
  {
    name: 'orval',
    language: TYPESCRIPT,
    program: programs.ORVAL,
    generate: ['orval', '--config', 'orval.config.mjs'],
  },
  {
    name: 'openapi-generator typescript-fetch',
    language: TYPESCRIPT,
    program: programs.TYPESCRIPT_FETCH,
    generate: openApiGenerator('typescript-fetch', '-o', 'generated'),
  },
  {
    name: 'openapi-generator python',
    language: PYTHON,
    program: programs.PYTHON,
    generate: openApiGenerator('python', '-o', '.', '--package-name', 'generated'),
  },
  {
    name: 'openapi-generator go',
    language: GO,
    program: programs.GO,
    generate: openApiGenerator(
      ...(['go', '-o', 'generated', '--package-name', 'generated'] as const),
      ...['--additional-properties', 'withGoMod=false', '--global-property', 'apiTests=false,modelTests=false'],
    ),
  },
  {
    name: 'openapi-python-client',
    language: PYTHON,
    program: programs.PYTHON_CLIENT,
    generate: [
      'openapi-python-client',
      'generate',
      '--path',
      'openapi.json',
      '--output-path',
      'generated',
      '--meta',
      'none',
    ],
  },
];

/**
 * Lines that openapi-generator prints for every document, even the smallest, and names of its files, which may contain
 * anything.
 */
const SAID_OF_ALL = [
  /OpenAPI 3\.1 support is still in beta/,
  /Failed to get the schema name: null$/,
  /^\[main\] INFO /,
];

/** Lines in which a generator complains. If it fails, all its lines. */
const complaints = async (folder: string, [command, ...args]: GeneratorCommand): Promise<string> => {
  const options = { cwd: folder, env: { ...process.env, PATH: generatorPath }, timeout: 300_000 };
  try {
    const { stdout, stderr } = await run(command, args, options);
    const lines = `${stdout}\n${stderr}`
      .split('\n')
      .filter((line) => /warn|error|cannot|unsupported|invalid/i.test(line));
    return lines.filter((line) => !SAID_OF_ALL.some((known) => known.test(line))).join('\n');
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${error}\n${stdout}\n${stderr}`;
  }
};

/** Times that a program may run: a busy service refuses requests, and generated clients do not ask again. */
const MOST_RUNS = 3;

/** The word that the program prints. Each run has an author of its own. */
const works = async (folder: string, service: FilledProcess, { name, language }: Generator): Promise<string> => {
  if (language === TYPESCRIPT)
    await build({
      entryPoints: [join(folder, 'app.ts')],
      outfile: join(folder, 'app.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    });
  const [command, ...args] = language.run;
  for (let tried = 1; ; tried++)
    try {
      const TOKEN = await createToken(service, `${name.replaceAll(' ', '-')}-${tried}`);
      const env = { ...process.env, PATH: generatorPath, BASE_URL: service.baseUrl, TOKEN };
      const { stdout } = await run(command, args, { cwd: folder, env, timeout: 60_000 });
      return stdout.trim();
    } catch (error) {
      if (tried === MOST_RUNS) throw error;
    }
};

const prepare = async (folder: string, service: FilledProcess, { language, program }: Generator): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const document = await (await fetch(`${service.origin}/openapi.json`)).text();
  await writeFile(join(folder, 'openapi.json'), document);
  await writeFile(join(folder, language.file), program);
  await writeFile(join(folder, 'orval.config.mjs'), orvalSettings(service.baseUrl));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
  await writeFile(join(folder, 'go.mod'), 'module consumer\n\ngo 1.23\n');
  await symlink(generatorModules, join(folder, 'node_modules'));
};

const tryGenerator = async (
  folder: string,
  service: FilledProcess,
  generator: Generator,
  attempt: GeneratorAttempt,
) => {
  const { name, generate, language } = generator;
  await prepare(folder, service, generator);
  await attempt(`${name} generates without a warning`, '', () => complaints(folder, generate));
  for (const command of language.compile)
    await attempt(`${name} compiles: ${command.join(' ')}`, '', () => complaints(folder, command));
  await attempt(`${name} makes all nine calls`, 'works', () => works(folder, service, generator));
};

/** Tries each generator in its own folder, against one running service. */
export const tryGenerators = async (folder: string, attempt: GeneratorAttempt): Promise<void> => {
  await installGenerators();
  const service = await startFilledProcess({ LOG_LEVEL: 'error', PUBLIC_RATE_LIMIT: '1000' });
  try {
    for (const generator of GENERATORS)
      await tryGenerator(join(folder, generator.name.replaceAll(' ', '-')), service, generator, attempt);
  } finally {
    await service.remove();
  }
};
