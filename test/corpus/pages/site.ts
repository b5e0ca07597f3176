import { PROBLEM_CODES } from '@broker-transparency/contract';
import type { Ask } from '../wire.ts';

export const METRICS_TOKEN = 'corpus-metrics-token';

/** The files that a page loads. */
const findAssets = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => String(path));

/**
 * Reads everything outside of the API: its document, the documentation, pages about problems, health and metrics.
 * Returns the files that pages load.
 */
export const readSite = async (ask: Ask): Promise<string[]> => {
  const { body } = await ask('site', { target: '/docs' });
  const assets = findAssets(body);
  const problems = [...PROBLEM_CODES, 'nothing'].map((code) => `/problems/${code}`);
  const others = ['/openapi.json', '/openapi.yaml', '/problems', '/docs/', '/assets/', '/assets/index.html'];
  for (const target of [...assets, ...others, ...problems]) await ask('site', { target });
  for (const target of ['/healthz', '/readyz', '/healthz/', '/metrics']) await ask('operation', { target });
  for (const token of [METRICS_TOKEN, 'wrong'])
    await ask('operation', { target: '/metrics', headers: [`Authorization: Bearer ${token}`] });
  return assets;
};
