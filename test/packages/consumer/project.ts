import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const MODULES = ['node16', 'nodenext', 'bundler'] as const;

export interface Project {
  readonly folder: string;
  readonly source: string;
  readonly kind: 'module' | 'commonjs';
  readonly module: (typeof MODULES)[number];
  /** ts-rest's own declarations do not compile under zod 4 without it; those of this project must. */
  readonly skipLibCheck: boolean;
  /** Whose types describe `fetch` and the like: a browser's unless said otherwise. */
  readonly platform?: 'browser' | 'node';
}

const PLATFORMS = {
  browser: { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] },
  node: { lib: ['ES2022'], types: ['node'] },
};

/** Settings as strict as they come. */
const settings = ({ module, skipLibCheck, platform = 'browser' }: Project) => ({
  compilerOptions: {
    target: 'ES2022',
    ...PLATFORMS[platform],
    outDir: 'out',
    rootDir: 'src',
    ...(module === 'bundler'
      ? { module: 'ES2022', moduleResolution: 'bundler' }
      : { module, moduleResolution: module }),
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck,
  },
  include: ['src'],
});

/** Writes a project; packages are found in a folder above it. */
export const writeProject = async (project: Project): Promise<void> => {
  await mkdir(join(project.folder, 'src'), { recursive: true });
  await writeFile(join(project.folder, 'package.json'), JSON.stringify({ private: true, type: project.kind }));
  await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(settings(project)));
  await writeFile(join(project.folder, 'src/app.ts'), project.source);
};

/** Compiles a project with the `tsc` of a TypeScript package: what it reports, empty when all is well. */
export const compile = async (tsc: string, { folder }: Pick<Project, 'folder'>): Promise<string> => {
  try {
    await run(process.execPath, [tsc, '-p', folder], { timeout: 120_000 });
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout || error);
  }
};

/** Runs a compiled project: the word it prints. A process that does not end by itself is a failure. */
export const execute = async (
  command: string,
  args: readonly string[],
  { folder }: Pick<Project, 'folder'>,
): Promise<string> => {
  try {
    const { stdout } = await run(command, [...args, join(folder, 'out/app.js')], { cwd: folder, timeout: 30_000 });
    return stdout.trim();
  } catch (error) {
    return String(error);
  }
};
