import { contract } from '@broker-transparency/contract';
import { initServer } from '../../http/endpoints/rest.ts';
import { readyList } from '../../http/response/ready-json.ts';
import type { Db } from '../../platform/mongo.ts';
import { readSummaries } from '../brokers/facts.ts';
import type { SearchIndex } from './index.ts';

export const searchRoute = (db: Db, index: SearchIndex) =>
  initServer().route(contract.search, async ({ query: { q } }) => ({
    status: 200,
    body: readyList(await readSummaries(db, index.find(q)), {}),
  }));
