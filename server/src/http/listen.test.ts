import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, listen } from './listen.ts';

const http = createHttpServer();
let origin = '';
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(http.server, 0, '127.0.0.1')}`;
  http.reachedAt('https://ratings.example');
});
afterAll(() => http.server.close());

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
  await expect(listen(createHttpServer().server, port, '127.0.0.1')).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken: stop what uses it or set PORT`,
  );
});
