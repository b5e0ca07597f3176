/**
 * Verifies a proof of a score in Chromium, as a page does: `pnpm log:browser`. A real server signs the log of the
 * demonstration, the page fetches a proof from it and verifies it by `@broker-transparency/client/verify`. Prints the
 * levels that it reached and how long that took in the page, and ends with 1 if the page verified what is wrong.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cosignatureText,
  formatCosignature,
  formatNote,
  formatProof,
  formatVerifierKey,
  keyIdFrom,
  keyIdInput,
  parseNote,
  parseProof,
} from '@broker-transparency/log';
import { build } from 'esbuild';
import { openChromium } from '../support/chromium.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { startLockedMongo } from '../support/locked-mongo.ts';
import { brokerRow } from '../support/records.ts';
import { createPolicy, readLogState, startLogService, untilSigned } from '../support/signed-log.ts';

const SLUG = 'alpha-markets';
const ROUNDS = 50;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** A witness that signs the checkpoint of a proof. */
const createWitness = () => {
  const name = 'witness.example/w1';
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = { name, type: 4 as const, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) };
  const keyId = keyIdFrom(sha256(keyIdInput(key)));
  return {
    verifierKey: formatVerifierKey({ ...key, keyId }),
    cosign: (text: string): string => {
      const proof = parseProof(text);
      const note = parseNote(proof.checkpoint);
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = sign(null, Buffer.from(cosignatureText(note.text, timestamp)), privateKey);
      const cosignature = { name, keyId, signature: formatCosignature({ timestamp, signature }) };
      const checkpoint = formatNote({ ...note, signatures: [...note.signatures, cosignature] });
      return formatProof({ ...proof, checkpoint });
    },
  };
};

const bundle = await build({
  stdin: {
    contents: `
      import { verifyProof } from '@broker-transparency/client/verify';
      globalThis.verifyProof = verifyProof;
      document.title = 'ready';`,
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
});
const html = `<!doctype html><title>loading</title><script type="module">${bundle.outputFiles[0]?.text}</script>`;
const pages = createServer((_, res) => res.setHeader('Content-Type', 'text/html; charset=utf-8').end(html));
await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));

interface BrowserResult {
  readonly level: string;
  readonly witnesses: { readonly verified: number; readonly required: number };
  readonly slug: string;
  readonly firstMs: number;
  readonly medianMs: number;
  readonly verifiedChanges: number;
  readonly changes: number;
}

/** Runs in the page. Verifies a proof, then all proofs with one changed byte: each 7th character in turn. */
const program = (text: string, policy: string): string => `(async () => {
  const [text, policy, times] = [${JSON.stringify(text)}, ${JSON.stringify(policy)}, []];
  for (let round = 0; round < ${ROUNDS}; round++) {
    const begun = performance.now();
    await verifyProof(text, policy);
    times.push(performance.now() - begun);
  }
  const { level, witnesses, score } = await verifyProof(text, policy);
  let [changes, verifiedChanges] = [0, 0];
  for (let at = 0; at < text.length; at += 7) {
    const other = text[at] === 'A' ? 'B' : 'A';
    changes++;
    await verifyProof(text.slice(0, at) + other + text.slice(at + 1), policy).then(() => verifiedChanges++, () => {});
  }
  const medianMs = times.toSorted((a, b) => a - b)[${Math.floor(ROUNDS / 2)}];
  return { level, witnesses, slug: score.slug, firstMs: times[0], medianMs, changes, verifiedChanges };
})()`;

const mongo = await startLockedMongo([]);
const started = await startLogService({ MONGODB_URL: mongo.url(), LOG_LEVEL: 'error' });
const { service, reader, key } = started;
const browser = await openChromium();
try {
  const slugs = [SLUG, ...Array.from({ length: 20 }, (_, at) => `other-${at}`)]; // a tree of one leaf has no path
  await importRows(
    service,
    'brokers',
    slugs.map((slug) => brokerRow(slug)),
  );
  succeeded(await service.cliWith({ CLOCK: '+1d' }, 'admin', 'job', 'run', 'record-day'));
  await untilSigned(reader, (await readLogState(service)).entries);
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}`);
  await page.waitForFunction("document.title === 'ready'", undefined, { timeout: 10_000 });
  const { proof: text } = await page.evaluate<{ proof: string }>(
    `fetch('${service.origin}/transparency/v1/brokers/${SLUG}/proof').then((answer) => answer.json())`,
  );
  const witness = createWitness();
  const policy = createPolicy(key);
  const strict = policy.replace('quorum none', `witness w1 ${witness.verifierKey}\nquorum w1`);
  console.log(`Chromium ${browser.version()}, a proof of ${Buffer.byteLength(text)} bytes`);
  for (const [expected, proof, by] of [
    ['logged', text, policy],
    ['witnessed', witness.cosign(text), strict],
  ] as const) {
    const seen = await page.evaluate<BrowserResult>(program(proof, by));
    const { level, witnesses, slug, changes, verifiedChanges, firstMs, medianMs } = seen;
    console.log(
      `${level} ${witnesses.verified} of ${witnesses.required}: first ${firstMs.toFixed(1)} ms, median of ${ROUNDS} ` +
        `${medianMs.toFixed(1)} ms; ${changes - verifiedChanges} of ${changes} proofs with a changed byte refused`,
    );
    if (level !== expected || slug !== SLUG || verifiedChanges > 0) process.exitCode = 1;
  }
  const isRefused = await page.evaluate<boolean>(
    `verifyProof(${JSON.stringify(text)}, ${JSON.stringify(strict)}).then(() => false, ({ code }) => code === 'too_few_witnesses')`,
  );
  console.log(isRefused ? 'without its witness: refused' : 'without its witness: verified, which is wrong');
  if (!isRefused) process.exitCode = 1;
} finally {
  await browser.close();
  pages.close();
  await started.remove();
  await mongo.stop();
}
