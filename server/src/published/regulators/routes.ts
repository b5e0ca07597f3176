import { contract } from '@broker-transparency/contract';
import { findRegulator, listRegulators } from '../../features/regulators/facts.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import type { Db } from '../../platform/mongo.ts';
import { brokersRegulatedBy } from '../brokers/facts.ts';
import { regulatorView } from './view.ts';

export const regulatorRoutes = (db: Db) =>
  initServer().router(contract.regulators, {
    list: async () => ({ status: 200, body: { data: (await listRegulators(db)).map(regulatorView) } }),
    get: async ({ params: { code } }) => {
      const regulator = await findRegulator(db, code);
      if (!regulator) throw new ProblemError('regulator_not_found', `No regulator has the code "${code}".`);
      return { status: 200, body: { ...regulatorView(regulator), brokers: await brokersRegulatedBy(db, code) } };
    },
  });
