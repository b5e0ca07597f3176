import { createClient } from '@broker-transparency/client';
import { enterprise, memoryReplica, replica } from '@broker-transparency/client/enterprise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWitnessedLog, untilWitnessed } from '../record/witnessed.ts';
import { grantCustomerKey } from '../support/enterprise.ts';
import type { Service } from '../support/process.ts';
import { publish } from './publishing.ts';

let log: Awaited<ReturnType<typeof createWitnessedLog>>;
let service: Service;
let policy: string;
beforeAll(async () => {
  log = await createWitnessedLog();
  const one = await log.newWitness();
  one.takeMs(1500);
  policy = log.formatPolicy({ one }, 'quorum one');
  service = await log.start(policy);
  await untilWitnessed(service, 1, policy);
});
afterAll(() => log?.remove());

test('a replica says what witnesses have signed of it, although entries come without a pause', async () => {
  const key = await grantCustomerKey(service, 'acme-bank', 'institution');
  const client = createClient({ baseUrl: service.baseUrl, with: [enterprise({ key })] });
  const store = memoryReplica();
  let isDone = false;
  const write = async (writer: number): Promise<void> => {
    while (!isDone) await publish(service, [`broker/steady-${writer}`]);
  };
  const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  const witnessed: number[] = [];
  try {
    for await (const state of replica({ client, store, policy, from: 'start' })) {
      if (state.witnessed !== (witnessed.at(-1) ?? -1)) witnessed.push(state.witnessed);
      expect(state.witnessed).toBeLessThanOrEqual(state.signed);
      if (witnessed.length === 2) break;
    }
  } finally {
    isDone = true;
    await writing;
  }
  expect(witnessed).toEqual(witnessed.toSorted((a, b) => a - b));
  expect((await store.load())?.witnessed?.size).toBe((witnessed.at(-1) as number) + 1);
});
