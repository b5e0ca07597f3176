import { contract } from '@broker-transparency/contract';
import { initServer } from '@ts-rest/express';
import { summariesOf } from '../brokers/facts.ts';
import { readyList } from '../http/ready-json.ts';
import type { SearchIndex } from './index.ts';

export const searchRoute = (index: SearchIndex) =>
  initServer().route(contract.search, async ({ query: { q } }) => ({
    status: 200,
    body: readyList(await summariesOf(index.find(q)), {}),
  }));
