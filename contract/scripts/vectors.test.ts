import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METHODOLOGIES } from '../src/score/methodologies.ts';
import { readVectors, toVector, type Vector } from './vectors.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'vectors-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the second implementation, which follows the page of a version alone. */
const runPython = (
  version: string,
  file: string,
): { readonly status: number | null; readonly lines: readonly string[] } => {
  const script = fileURLToPath(new URL(`../../docs/methodology/${version}.py`, import.meta.url));
  const { error, status, stdout, stderr } = spawnSync('python3', [script, file], { encoding: 'utf8' });
  if (error)
    throw new Error(
      `python3 does not start (${error.message}). This test needs Python 3.9 or later on the PATH: install it`,
    );
  if (stderr !== '') throw new Error(stderr);
  return { status, lines: stdout.trimEnd().split('\n') };
};

describe.each(METHODOLOGIES)('the test vectors of $version', ({ version, ...numbers }) => {
  const file = fileURLToPath(new URL(`../methodology/${version}.ndjson`, import.meta.url));
  const vectors = readVectors(readFileSync(file, 'utf8'));
  const collectValues = (pick: (vector: Vector) => readonly unknown[]): ReadonlySet<unknown> =>
    new Set(vectors.flatMap(pick));

  test('the test vectors have the scores that the package computes', () => {
    for (const { score, ...facts } of vectors)
      expect(toVector(facts, score.computedAt, score.methodologyVersion).score).toEqual(score);
  });

  test('the test vectors are of this version', () => {
    expect(collectValues(({ score }) => [score.methodologyVersion])).toEqual(new Set([version]));
  });

  test('the vectors reach every color, cap, level of confidence, tier, status of a licence and regime', () => {
    const licenses = collectValues(({ licenses }) => licenses.map(({ tier, status }) => `${tier} ${status}`));
    const combinations = Object.keys(numbers.tierStrength).flatMap((tier) =>
      Object.keys(numbers.licenseStrength).map((status) => `${tier} ${status}`),
    );
    expect([...combinations].filter((combination) => !licenses.has(combination))).toEqual([]);
    expect(collectValues(({ score }) => [score.color])).toEqual(new Set(['green', 'yellow', 'red', 'gray']));
    expect(collectValues(({ score }) => score.caps.map(({ code }) => code))).toEqual(
      new Set(Object.keys(numbers.caps)),
    );
    expect(collectValues(({ score }) => [score.confidence.level])).toEqual(new Set(['low', 'medium', 'high']));
    const regulators = collectValues(({ licenses }) => licenses.map(({ regulatorCode }) => regulatorCode));
    for (const regime of Object.entries(numbers.regimes).flat()) expect(regulators).toContain(regime);
    for (const cap of Object.values(numbers.caps))
      expect(collectValues(({ score }) => [score.value])).toContain(cap.limit);
  });

  test('the vectors give the same digits in Python, which follows the page alone', () => {
    expect(runPython(version, file)).toEqual({
      status: 0,
      lines: [`${vectors.length} scores recomputed, 0 differ`],
    });
  });

  test('the vectors find a Python that computes another last digit of any number', () => {
    const [first] = vectors as [Vector];
    const changed: { readonly path: string; readonly line: string }[] = [];
    /** Changes one number after the other in its last digit. */
    const change = (at: unknown, path: string): void => {
      if (typeof at !== 'object' || at === null) return;
      const fields = at as Record<string, unknown>;
      for (const [name, value] of Object.entries(fields)) {
        const place = Array.isArray(at) ? `${path}[${name}]` : `${path}.${name}`;
        if (typeof value === 'number') {
          fields[name] = value + 1e-9;
          changed.push({ path: place, line: JSON.stringify(first) });
          fields[name] = value;
        } else change(value, place);
      }
    };
    change(first.score, 'score');
    const forged = join(scratch, `${version}.ndjson`);
    writeFileSync(forged, changed.map(({ line }) => `${line}\n`).join(''));
    const { status, lines } = runPython(version, forged);
    expect(changed.length).toBeGreaterThan(30);
    expect(status).toBe(1);
    expect(lines.slice(0, -1).map((line) => /line \d+: ([^:]+):/.exec(line)?.[1])).toEqual(
      changed.map(({ path }) => path),
    );
  });
});
