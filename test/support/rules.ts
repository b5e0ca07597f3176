import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const OPS = fileURLToPath(new URL('../../ops', import.meta.url));
const RULES = `${OPS}/prometheus/rules.yml`;
const DASHBOARD = `${OPS}/grafana/broker-rating.json`;

/** A Prometheus rule: an alert or a recording rule. */
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

/** Expressions of the dashboard's panels, with Grafana's variables replaced by values. */
export const dashboardExpressions = async (): Promise<string[]> => {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as { panels: { targets?: { expr: string }[] }[] };
  return panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'));
};
