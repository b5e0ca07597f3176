import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleBroker } from '../openapi/example-broker.ts';
import { METHODOLOGY_VERSION } from './methodology.ts';
import { recomputeScore, scoreBroker } from './score.ts';

const broker = exampleBroker();
const byVersion = (methodologyVersion: string | undefined) => ({
  ...broker,
  score: { ...broker.score, methodologyVersion },
});
const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  .sort();

test('new scores follow the version in force', () => {
  expect(versions).toContain(METHODOLOGY_VERSION);
  const facts = { ...broker, complaints: { closed: 0, resolved: 0, timely: 0 } };
  expect(scoreBroker(facts, broker.updatedAt).methodologyVersion).toBe(METHODOLOGY_VERSION);
});

test.each(versions)('recomputes an answer with the version %s that it names, whatever is in force now', (version) => {
  expect(recomputeScore(byVersion(version)).methodologyVersion).toBe(version);
});

test('recomputes an answer that names no version with the one in force', () => {
  expect(recomputeScore(byVersion(undefined))).toEqual(broker.score);
});

test.each(['2125-1', '', 'toString'])('refuses an answer that names the unknown version %j', (version) => {
  const recompute = () => recomputeScore(byVersion(version));
  expect(recompute).toThrow(RangeError);
  expect(recompute).toThrow(`no methodology ${version} here, only ${versions.join(', ')}: update the package`);
});
