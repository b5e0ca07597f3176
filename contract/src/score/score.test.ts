import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as second from '../../../test/support/second-methodology.ts';
import { exampleBroker } from '../openapi/example-broker.ts';
import { METHODOLOGIES } from './methodologies.ts';
import { METHODOLOGY_VERSION } from './methodology.ts';
import { complaintCounts, recomputeBy, recomputeScore, scoreBroker } from './score.ts';

const broker = exampleBroker();
const byVersion = (methodologyVersion: string | undefined) => ({
  ...broker,
  score: { ...broker.score, methodologyVersion },
});
const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  .sort();

test('the list has every version, and the last one is in force', () => {
  expect(METHODOLOGIES.map(({ version }) => version)).toEqual(versions);
  expect(second.METHODOLOGIES.map(({ version }) => version)).toEqual([...versions, second.METHODOLOGY_VERSION]);
  expect(METHODOLOGIES.at(-1)).toMatchObject({
    version: METHODOLOGY_VERSION,
    score: scoreBroker,
    countComplaints: complaintCounts,
  });
  expect(second.METHODOLOGIES.at(-1)).toMatchObject({
    version: second.METHODOLOGY_VERSION,
    score: second.scoreBroker,
    countComplaints: second.complaintCounts,
  });
});

test('new scores follow the version in force', () => {
  expect(versions).toContain(METHODOLOGY_VERSION);
  const facts = { ...broker, complaints: { closed: 0, resolved: 0, timely: 0 } };
  expect(scoreBroker(facts, broker.updatedAt).methodologyVersion).toBe(METHODOLOGY_VERSION);
});

test.each(versions)('recomputes an answer with the version %s that it names, whatever is in force now', (version) => {
  const [again, later] = [METHODOLOGIES, second.METHODOLOGIES].map((list) => recomputeBy(list, byVersion(version)));
  expect(again?.methodologyVersion).toBe(version);
  expect(later).toEqual(again);
});

test('recomputes an answer by a second version with its rules, and counts the complaints that they count', () => {
  const { value } = broker.score;
  const again = recomputeBy(second.METHODOLOGIES, byVersion(second.METHODOLOGY_VERSION));
  expect(again).toMatchObject({ methodologyVersion: second.METHODOLOGY_VERSION, value: Math.round(again.value ?? 0) });
  expect(again.value).not.toBe(value);
  const closed = ({ components }: typeof again) => components.find(({ key }) => key === 'complaints')?.inputs['closed'];
  expect(closed(again)).toBeLessThan(closed(broker.score) as number);
});

test('recomputes an answer that names no version with the one in force', () => {
  expect(recomputeScore(byVersion(undefined))).toEqual(broker.score);
  const { methodologyVersion } = recomputeBy(second.METHODOLOGIES, byVersion(undefined));
  expect(methodologyVersion).toBe(second.METHODOLOGY_VERSION);
});

test.each(['2125-1', '', 'toString', second.METHODOLOGY_VERSION])(
  'refuses an answer that names the unknown version %j',
  (version) => {
    const recompute = () => recomputeScore(byVersion(version));
    expect(recompute).toThrow(RangeError);
    expect(recompute).toThrow(`no methodology ${version} here, only ${versions.join(', ')}: update the package`);
  },
);
