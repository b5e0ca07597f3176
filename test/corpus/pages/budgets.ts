import { LIMITS } from '@broker-transparency/contract';
import { tokenLine } from '../cast.ts';
import type { Ask, CorpusRequest } from '../wire.ts';

const { requests } = LIMITS.public;

/** Each budget, with its size and a caller of its own. */
const BUDGETS: readonly (CorpusRequest & { readonly size: number })[] = [
  { size: requests, target: '/api/v1/regulators/fca', from: '127.0.9.1' },
  { size: requests, target: '/nothing', from: '127.0.9.2' },
  { size: requests / 2, target: '/account/v1/reviews', headers: ['Authorization: Bearer wrong'], from: '127.0.9.3' },
  { size: requests / 2, target: '/api/v1/regulators/fca', headers: ['Authorization: Bearer wrong'], from: '127.0.9.4' },
  { size: requests, target: '/api/v1/regulators/fca', headers: [tokenLine('jana')], from: '127.0.9.5' },
  { size: 5 * requests, target: '/problems', from: '127.0.9.6' },
];

/** Exhausts every budget, and then requests what may still be answered. */
export const budgets = async (ask: Ask): Promise<void> => {
  for (const { size, ...request } of BUDGETS) {
    for (let n = 0; n < size + 2; n++) await ask('budgets', request);
    for (const target of ['/api/v1/regulators/fca', '/problems', '/healthz', '/nothing'])
      await ask('budgets', { ...request, target });
  }
};
