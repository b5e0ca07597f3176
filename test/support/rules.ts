import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const OPS = fileURLToPath(new URL('../../ops', import.meta.url));
const RULES = `${OPS}/prometheus/rules.yml`;
const DASHBOARD = `${OPS}/grafana/broker-rating.json`;

/** A rule of Prometheus: an alert, or a record. */
interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const readRules = async (): Promise<Rule[]> => {
  const { groups } = parse(await readFile(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
};

/** Expressions of the dashboard's panels, Grafana's variables in place. */
export const dashboardExpressions = async (): Promise<string[]> => {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as { panels: { targets?: { expr: string }[] }[] };
  return panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'));
};
