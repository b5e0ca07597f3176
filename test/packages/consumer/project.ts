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
  /**
   * Must be true with ts-rest, whose declarations do not compile with zod 4. The project's own declarations must
   * compile.
   */
  readonly skipLibCheck: boolean;
  /** The platform whose types describe `fetch` and similar globals. A browser by default. */
  readonly platform?: 'browser' | 'node';
}

const PLATFORMS = {
  browser: { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] },
  node: { lib: ['ES2022'], types: ['node'] },
};

/** The strictest compiler settings. */
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

/** Writes a project. Its packages are in a parent folder. */
export const writeProject = async (project: Project): Promise<void> => {
  await mkdir(join(project.folder, 'src'), { recursive: true });
  await writeFile(join(project.folder, 'package.json'), JSON.stringify({ private: true, type: project.kind }));
  await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(settings(project)));
  await writeFile(join(project.folder, 'src/app.ts'), project.source);
};

/** Compiles a project with the `tsc` of a TypeScript package. Returns what it prints: errors, if there are any. */
export const compile = async (
  tsc: string,
  { folder }: Pick<Project, 'folder'>,
  args: readonly string[] = [],
): Promise<string> => {
  try {
    return (await run(process.execPath, [tsc, '-p', folder, ...args], { timeout: 120_000 })).stdout;
  } catch (error) {
    return String((error as { stdout?: string }).stdout || error);
  }
};

/**
 * Runs a compiled project and returns the word it prints.
 * @throws Error where the process does not end by itself
 */
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
