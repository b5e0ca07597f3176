import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { grantCustomerKey } from '../support/enterprise.ts';
import { createScratch } from '../support/files.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';

/*
 * Schemathesis sends requests that the OpenAPI documents allow, and requests that they do not, and compares the answers
 * with the documents: https://schemathesis.readthedocs.io
 */

const VERSION = '4.32.5';
const EXAMPLES = process.env['MAX_EXAMPLES'] ?? '1000';
const SEED = process.env['SEED'] ?? '1';
/** Names of the documents to try; all of them if none is given. */
const wanted = process.argv.slice(2);
/** Organisations that take turns, because each has a small budget for what is computed from the record. */
const ORGANISATIONS = 60;
/** Requests of one organisation in a row, so that it finds again what it created. */
const IN_A_ROW = 20;

/**
 * A valid request may also be refused by 422: its `Idempotency-Key` came before with another body. No other refusal has
 * this status.
 */
const CONFIG = `[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "422", "429"]
`;

const scratch = await createScratch();

/** Runs a program in the scratch folder, where it may leave files. */
const run = async (command: string, args: readonly string[]): Promise<number | null> => {
  const child = spawn(command, args, { stdio: 'inherit', cwd: scratch.path });
  const [code] = await once(child, 'exit');
  return code as number | null;
};

/** Starts a proxy on the loopback address that sends each request with the key of the organisation whose turn it is. */
const startTurns = async (origin: string, keys: readonly string[]) => {
  let sent = 0;
  const server = createServer((req, res) => {
    const key = keys[Math.floor(sent++ / IN_A_ROW) % keys.length];
    const isOurs = req.headers.authorization === `Bearer ${keys[0]}`;
    const headers = isOurs ? { ...req.headers, authorization: `Bearer ${key}` } : req.headers;
    const onward = request(`${origin}${req.url}`, { method: req.method as string, headers }, (answer) => {
      res.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

const service = await startProcess(EMBEDDED, ['--demo']);
const findToken = (name: string): string => {
  const token = new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(service.output())?.[1];
  if (token === undefined) throw new Error(`the demo prints no token for ${name}`);
  return token;
};
const failed: string[] = [];
try {
  const venv = join(scratch.path, 'venv');
  await run('python3', ['-m', 'venv', venv]);
  await run(join(venv, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  const config = await scratch.write('schemathesis.toml', CONFIG);
  const keys = [findToken('enterprise key')];
  for (let number = 1; number < ORGANISATIONS; number++)
    keys.push(await grantCustomerKey(service, `organisation-${number}`, 'regulator'));
  const turns = await startTurns(service.origin, keys);
  const server = { serverUrl: service.origin, version: '1.0.0' };
  const verified = findToken('identity verified');
  const documents = [
    ['public', openApiDocument(server), verified],
    ['record', recordOpenApiDocument(server), undefined],
    ['account', accountOpenApiDocument(server), verified],
    ['enterprise', enterpriseOpenApiDocument({ ...server, serverUrl: turns.origin }), keys[0]],
  ] as const;
  const names = documents.map(([name]): string => name);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`no document is called ${unknown}: there are ${names.join(', ')}`);
  for (const [name, document, token] of documents.filter(([each]) => wanted.length === 0 || wanted.includes(each))) {
    const file = join(scratch.path, `${name}.json`);
    await writeFile(file, JSON.stringify(document));
    const began = Date.now();
    const code = await run(join(venv, 'bin/schemathesis'), [
      ...['--config-file', config, 'run', file, '--url', document.servers[0]?.url as string],
      ...(token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]),
      ...['--phases', 'examples,coverage,fuzzing', '--checks', 'all', '--max-examples', EXAMPLES, '--seed', SEED],
      ...['--continue-on-failure', '--generation-database', 'none', '--max-redirects', '0', '--request-timeout', '30'],
    ]);
    console.log(`${name}: ${code === 0 ? 'nothing found' : 'see above'}, ${Math.round((Date.now() - began) / 1000)} s`);
    if (code !== 0) failed.push(name);
  }
  turns.close();
} finally {
  await service.remove();
  await scratch.remove();
}
if (failed.length > 0) {
  console.error(`Schemathesis found something in: ${failed.join(', ')}`);
  process.exitCode = 1;
}
