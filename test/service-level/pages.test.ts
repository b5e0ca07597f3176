import { readFile } from 'node:fs/promises';
import { OBJECTIVES, OBJECTIVES_VERSION, type Objectives } from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';

const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;
const page = (name: string): Promise<string> =>
  readFile(new URL(`../../docs/enterprise/${name}`, import.meta.url), 'utf8');
const [agreement, serviceLevel] = await Promise.all([page('agreement.md'), page('service-level.md')]);

/** Rows of all tables of a page: their first cell, in small letters, with the second. */
const readRows = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, first = '', second = '']) => [
      first.toLowerCase(),
      second,
    ]),
  );

const percent = (thousandths: number): string => `${(thousandths / 10).toFixed(1)} %`;
const availability = `${percent(objectives.availability)} of the minutes of a calendar month (UTC)`;
const speed = (name: 'publicReads' | 'enterpriseReads' | 'freshness' | 'webhooks'): string =>
  `${objectives[name].percentile} % within ${objectives[name].limitMs} ms`;

describe('what is promised', () => {
  test('the agreement promises what the objectives say, and excludes nothing', () => {
    const rows = readRows(agreement);
    expect(agreement).toContain(`version **${OBJECTIVES_VERSION}** of \`OBJECTIVES\``);
    expect(agreement).toContain('**Nothing is excluded**');
    expect(agreement).not.toContain('Not counted');
    expect(rows.get('availability')).toBe(availability);
    expect(rows.get('public reads')).toBe(speed('publicReads'));
    expect(rows.get('enterprise reads')).toBe(speed('enterpriseReads'));
    expect(rows.get('freshness of the feed')).toBe(speed('freshness'));
    expect(rows.get('webhooks')).toBe(speed('webhooks'));
  });

  test('the page of the service level promises what the objectives say', () => {
    const rows = readRows(serviceLevel);
    expect(serviceLevel).toContain(`| objectives ${OBJECTIVES_VERSION} |`);
    expect(rows.get('availability')).toBe(availability);
    expect(rows.get('public reads')).toBe(speed('publicReads'));
    expect(rows.get('enterprise reads')).toBe(speed('enterpriseReads'));
    expect(rows.get('from a commit to the feed')).toBe(speed('freshness'));
    expect(rows.get('from a commit to its webhook')).toBe(speed('webhooks'));
  });

  test('the agreement has the credits of the objectives', () => {
    const rows = readRows(agreement);
    const credits = objectives.credits.map(({ below, percent: credit }, at) => {
      const next = objectives.credits[at + 1]?.below;
      const least = next === undefined ? '' : `, at least ${percent(next)}`;
      return [`below ${percent(below)}${least}`, `${credit} %`];
    });
    expect(credits).toHaveLength(3);
    for (const [text = '', credit] of credits) expect([text, rows.get(text)]).toEqual([text, credit]);
  });
});
