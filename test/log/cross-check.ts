import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyCheckpoint, verifyProof } from '@broker-transparency/client/verify';
import { formatAddCheckpoint, parseSignatures, parseWitnessSize } from '@broker-transparency/log';
import { createScratch } from '../support/files.ts';
import { importRows } from '../support/filled-service.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { createReader, newLogKey, ORIGIN as SERVICE_ORIGIN } from '../support/signed-log.ts';
import { until } from '../support/until.ts';
import { buildCheck, buildWitness, startWitness, type Witness } from './go-tools.ts';
import {
  consistencyProof,
  createProof,
  createVectors,
  ORIGIN,
  signCheckpointAt,
  verifierKey,
  withSignatures,
} from './our-log.ts';

/*
 * Compares our formats of transparency logs with the libraries of Go: what we make verifies there, what they make is
 * in vectors.json, which our tests read, and their witness cosigns checkpoints of ours, and those of a running service.
 */

const VECTORS = join(import.meta.dirname, '../../packages/log/src/vectors.json');
const run = promisify(execFile);
const done = (what: string): void => console.log(`ok      ${what}`);

const checkVectors = async (program: string): Promise<void> => {
  const { stdout } = await run(program, ['vectors'], { maxBuffer: 16 * 1024 * 1024 });
  if (process.argv.includes('--write')) await writeFile(VECTORS, stdout);
  else if (stdout !== (await readFile(VECTORS, 'utf8')))
    throw new Error(
      'Go makes other vectors than packages/log/src/vectors.json has: run this with --write, then the tests',
    );
  done('Go makes the vectors that our tests read');
};

const checkOurs = async (program: string, folder: string): Promise<void> => {
  const file = join(folder, 'ours.json');
  await writeFile(file, JSON.stringify(createVectors()));
  process.stdout.write((await run(program, ['check', file])).stdout);
};

/** Sends a checkpoint to the witness. */
const submit = async (url: string, oldSize: number, size: number) => {
  const hashes = consistencyProof(oldSize, size);
  const body = formatAddCheckpoint({ oldSize, hashes, checkpoint: signCheckpointAt(size) });
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, body: await response.text() };
};

const expectStatus = ({ status, body }: Awaited<ReturnType<typeof submit>>, expected: number): string => {
  if (status !== expected) throw new Error(`the witness answers ${status} and not ${expected}: ${body}`);
  return body;
};

const checkWitness = async ({ url, verifierKey: witnessKey }: Witness): Promise<void> => {
  expectStatus(await submit(url, 0, 300), 200);
  expectStatus(await submit(url, 300, 300), 200);
  const known = parseWitnessSize(expectStatus(await submit(url, 100, 70_000), 409));
  if (known !== 300) throw new Error(`the witness has ${known} entries and not 300`);
  const signatures = parseSignatures(expectStatus(await submit(url, known, 70_000), 200));
  done('litewitness cosigns our checkpoints, and says from which size it needs a proof');
  const proof = createProof(65_536, 70_000, withSignatures(signCheckpointAt(70_000), signatures));
  const policy = `log ${verifierKey}\nwitness lite ${witnessKey}\nquorum lite\n`;
  const { level, witnesses, checkpointTime } = await verifyProof(proof, policy);
  if (level !== 'witnessed' || witnesses.verified !== 1) throw new Error(`the level is ${level}`);
  done(`our code verifies its cosignature of ${checkpointTime}`);
};

/** Runs a service whose checkpoints litewitness cosigns, and verifies what it serves. */
const checkService = async (program: string, witnessProgram: string, folder: string): Promise<void> => {
  const scratch = await createScratch();
  const key = await newLogKey(scratch, 'log.key', SERVICE_ORIGIN);
  const log = { origin: SERVICE_ORIGIN, verifierKey: key.verifierKey };
  const witness = await startWitness(witnessProgram, folder, log);
  const policy = `log ${key.verifierKey}\nwitness lite ${witness.verifierKey} ${witness.url}\nquorum lite\n`;
  const policyFile = await scratch.write('policy', policy);
  try {
    const service = await startProcess({ LOG_KEY: key.file, LOG_WITNESSES: policyFile, ...EMBEDDED });
    try {
      const waitForWitness = (size: number) =>
        until(`litewitness signs more than ${size} entries`, 60_000, async () => {
          const checkpoint = await createReader(service).checkpoint();
          return checkpoint !== undefined && checkpoint.size > size && checkpoint.signers.length === 2 && checkpoint;
        });
      const first = await waitForWitness(0);
      await importRows(service, 'brokers', [brokerRow('alpha')]);
      const later = await waitForWitness(first.size);
      for (const { text } of [first, later])
        if ((await verifyCheckpoint(text, policy)).level !== 'witnessed') throw new Error('a signature is missing');
      done(`litewitness cosigns ${first.size} and ${later.size} entries of a running service`);
      const address = `${service.origin}/transparency/v1/brokers/alpha/proof?number=${first.size}`;
      const { proof } = (await (await fetch(address)).json()) as { proof: string };
      const { stdout } = await run(program, ['proof', policyFile, await scratch.write('alpha.tlog-proof', proof)]);
      if (!stdout.includes('alpha')) throw new Error(`the proof is of another entry: ${stdout}`);
      done('Go verifies by a policy that requires litewitness what the service proves');
    } finally {
      await service.remove();
    }
  } finally {
    await witness.stop();
    await scratch.remove();
  }
};

const main = async (folder: string): Promise<void> => {
  const program = await buildCheck(folder);
  await checkVectors(program);
  await checkOurs(program, folder);
  const witnessProgram = await buildWitness(folder);
  const witness = await startWitness(witnessProgram, folder, { origin: ORIGIN, verifierKey });
  try {
    await checkWitness(witness);
  } finally {
    await witness.stop();
  }
  const another = join(folder, 'service');
  await mkdir(another);
  await checkService(program, witnessProgram, another);
};

const folder = await mkdtemp(join(tmpdir(), 'log-'));
try {
  await main(folder);
} catch (error) {
  console.error(`FAILED  ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
