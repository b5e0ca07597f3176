import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../observe/log.ts';
import { createHttpServer } from './listen.ts';
import { createOverload } from './overload.ts';

const create = () =>
  createHttpServer(
    createOverload({ maxInFlight: 10, maxConnections: 10, connectionsPerAddress: 10 }, createLog('silent')),
  );
const http = create();
let origin = '';
beforeAll(async () => {
  origin = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  http.reachedAt('https://ratings.example');
});
afterAll(() => http.close(0));

test('while the service starts it is alive, and says of everything else when to come back', async () => {
  const live = await fetch(`${origin}/healthz`);
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);

  for (const path of ['/readyz', '/api/v1/brokers', '/anything']) {
    const answer = await fetch(origin + path);
    expect([answer.status, answer.headers.get('Retry-After')], path).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({
      type: 'https://ratings.example/problems/unavailable',
      code: 'unavailable',
      instance: path,
    });
  }
});

test('a taken port is said with its cure', async () => {
  const port = Number(new URL(origin).port);
  await expect(create().listen(port, '127.0.0.1')).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken: stop what uses it or set PORT`,
  );
});
