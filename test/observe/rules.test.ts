import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDashboard, DASHBOARD_FILE, renderDashboard } from '../../ops/grafana/dashboard.ts';
import { createScratch } from '../support/files.ts';
import { promtool } from '../support/promtool.ts';
import { dashboardExpressions, OPS, readRules } from '../support/rules.ts';

const RULE_TESTS = ['rules', 'rules-over-hours', 'rules-over-days'].map((name) => `${OPS}/prometheus/${name}.test.yml`);
const alerts = (await readRules()).filter(({ alert }) => alert !== undefined);
const names = alerts.map(({ alert }) => alert as string);

const runbook = await readFile(new URL('../../docs/operating/runbook.md', import.meta.url), 'utf8');
/** Entries of the runbook by the name of their alert. */
const entries = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((entry) => [entry.split('\n', 1)[0], entry]),
);

describe('the rules', () => {
  test('the rules are valid for Prometheus', async () => {
    await promtool(['check', 'config', `${OPS}/prometheus/prometheus.yml`]);
  });

  // The tests evaluate days minute by minute, which takes long on a slow machine.
  test.each(RULE_TESTS)('the rules pass their tests: %s', async (file) => {
    await promtool(['test', 'rules', file]);
  });

  test.each(names)('the rules have tests in which %s fires, and in which it does not', async (name) => {
    const tests = (await Promise.all(RULE_TESTS.map((file) => readFile(file, 'utf8'))))
      .join('\n')
      .split(/^ {2}- name: /m);
    const own = tests.filter((text) => text.includes(`alertname: ${name}\n`) || text.includes(`alertname: ${name},`));
    expect(own.some((text) => text.includes('exp_labels'))).toBe(true);
    expect(own.some((text) => text.includes('exp_alerts: []'))).toBe(true);
  });
});

describe('the runbook', () => {
  test('the runbook has an entry for each alert, and no others', () => {
    expect([...entries.keys()]).toEqual(names);
  });

  test.each(alerts.map((rule) => [rule.alert as string, rule] as const))(
    'the runbook says for %s what it means and what to do',
    (name, rule) => {
      expect(['critical', 'warning']).toContain(rule.labels?.['severity']);
      expect(rule.annotations?.['summary']).toMatch(/^[A-Z].{10,}/);
      expect(rule.annotations?.['description']).toMatch(/^.{10,}/);
      expect(rule.annotations?.['runbook_url']).toBe(`{{ $externalLabels.runbook }}#${name.toLowerCase()}`);
      for (const part of ['Meaning', 'Impact', 'Look', 'Do']) expect(entries.get(name)).toContain(`\n**${part}.** `);
    },
  );
});

describe('the dashboard', () => {
  test('the dashboard is the one that its source makes: npx -y pnpm docs:write', async () => {
    expect(await readFile(DASHBOARD_FILE, 'utf8')).toBe(renderDashboard());
  });

  test('the dashboard uses valid PromQL', async () => {
    const scratch = await createScratch();
    const rules = (await dashboardExpressions()).map((expr, at) => ({ record: `panel:${at}`, expr }));
    const file = await scratch.write('panels.json', JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    await promtool(['check', 'rules', file]).finally(scratch.remove);
    expect(rules.length).toBeGreaterThan(30);
  });

  test('the dashboard has panels with descriptions, each in its own place', () => {
    const panels = (createDashboard().panels ?? []).filter(({ type }) => type !== 'row');
    const places = panels.map(({ gridPos }) => `${gridPos?.x} ${gridPos?.y}`);
    expect(new Set(places).size).toBe(panels.length);
    for (const panel of panels)
      expect(panel).toMatchObject({ title: expect.any(String), description: expect.any(String) });
  });
});
