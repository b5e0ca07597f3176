import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDashboard, DASHBOARD_FILE, dashboardText } from '../../ops/grafana/dashboard.ts';
import { createScratch } from '../support/files.ts';
import { promtool } from '../support/promtool.ts';
import { dashboardExpressions, OPS, readRules } from '../support/rules.ts';

const RULE_TESTS = ['rules.test.yml', 'rules-over-days.test.yml'].map((name) => `${OPS}/prometheus/${name}`);
const alerts = (await readRules()).filter(({ alert }) => alert !== undefined);
const names = alerts.map(({ alert }) => alert as string);

const runbook = await readFile(new URL('../../docs/operating/runbook.md', import.meta.url), 'utf8');
/** Entries of the runbook, by the name of their alert. */
const entries = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((entry) => [entry.split('\n', 1)[0], entry]),
);

describe('the rules', () => {
  test('are what Prometheus takes', async () => {
    await promtool(['check', 'config', `${OPS}/prometheus/prometheus.yml`]);
  });

  // days of minutes are evaluated, on whatever machine this is
  test.each(RULE_TESTS)('do what their tests say: %s', { timeout: 240_000 }, async (file) => {
    await promtool(['test', 'rules', file]);
  });

  test.each(names)('%s is tested to fire, and not to', async (name) => {
    const tests = (await Promise.all(RULE_TESTS.map((file) => readFile(file, 'utf8'))))
      .join('\n')
      .split(/^ {2}- name: /m);
    const own = tests.filter((text) => text.includes(`alertname: ${name}\n`) || text.includes(`alertname: ${name},`));
    expect(own.some((text) => text.includes('exp_labels'))).toBe(true);
    expect(own.some((text) => text.includes('exp_alerts: []'))).toBe(true);
  });
});

describe('the runbook', () => {
  test('has an entry per alert, and none without', () => {
    expect([...entries.keys()]).toEqual(names);
  });

  test.each(alerts.map((rule) => [rule.alert as string, rule] as const))(
    '%s says what it means and what to do',
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
  test('is the one that its source makes: npx -y pnpm generate', async () => {
    expect(await readFile(DASHBOARD_FILE, 'utf8')).toBe(dashboardText());
  });

  test('asks in PromQL', async () => {
    const scratch = await createScratch();
    const rules = (await dashboardExpressions()).map((expr, at) => ({ record: `panel:${at}`, expr }));
    const file = await scratch.write('panels.json', JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    await promtool(['check', 'rules', file]).finally(scratch.remove);
    expect(rules.length).toBeGreaterThan(30);
  });

  test('has panels that say what they show, each in its place', () => {
    const panels = (createDashboard().panels ?? []).filter(({ type }) => type !== 'row');
    const places = panels.map(({ gridPos }) => `${gridPos?.x} ${gridPos?.y}`);
    expect(new Set(places).size).toBe(panels.length);
    for (const panel of panels)
      expect(panel).toMatchObject({ title: expect.any(String), description: expect.any(String) });
  });
});
