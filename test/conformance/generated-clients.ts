import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@broker-transparency/contract/openapi';
import { PYPI } from '../packages/consumer/generator-tools.ts';

/* Generates clients from the OpenAPI document, in a folder. */

const run = promisify(execFile);

export const PYTHON_GENERATOR = { name: 'openapi-python-client', version: PYPI['openapi-python-client'] };
export const GO_GENERATOR = { name: 'oapi-codegen', version: '2.8.2' };

const ADAPTERS = join(import.meta.dirname, 'adapters');

const writeDocument = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'openapi.json');
  const document = openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' });
  await writeFile(file, JSON.stringify(document));
  return file;
};

/** Installs the generator with Python and returns the command of the client. */
export const makePythonClient = async (folder: string): Promise<readonly string[]> => {
  const document = await writeDocument(folder);
  const binaries = join(folder, 'python/bin');
  await run('python3', ['-m', 'venv', join(folder, 'python')]);
  const { name, version } = PYTHON_GENERATOR;
  await run(join(binaries, 'pip'), ['install', '--quiet', '--only-binary', ':all:', `${name}==${version}`]);
  const env = { ...process.env, PATH: `${binaries}:${process.env['PATH']}` };
  const args = ['generate', '--path', document, '--output-path', join(folder, 'generated'), '--meta', 'none'];
  await run(join(binaries, name), args, { env });
  await copyFile(join(ADAPTERS, 'python.py'), join(folder, 'client.py'));
  return [join(binaries, 'python'), join(folder, 'client.py')];
};

/** Builds the generator and the client with Go and returns the command of the client. */
export const makeGoClient = async (folder: string): Promise<readonly string[]> => {
  const document = await writeDocument(folder);
  const { name, version } = GO_GENERATOR;
  const binaries = join(folder, 'bin');
  const env = { ...process.env, GOBIN: binaries };
  await run('go', ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/${name}@v${version}`], { env });
  await mkdir(join(folder, 'generated'), { recursive: true });
  const output = join(folder, 'generated/client.go');
  await run(join(binaries, name), ['-generate', 'types,client', '-package', 'generated', '-o', output, document]);
  await copyFile(join(ADAPTERS, 'go/main.go'), join(folder, 'main.go'));
  await writeFile(join(folder, 'go.mod'), 'module consumer\n\ngo 1.25\n');
  await run('go', ['mod', 'tidy'], { cwd: folder });
  await run('go', ['build', '-o', 'client', '.'], { cwd: folder });
  return [join(folder, 'client')];
};
