import { createTestServer } from '@broker-transparency/client/testing';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/** The API in memory, at the address that stands in the app. */
export const api = createTestServer({ origin: 'https://brokers.example' });

/** `msw.listen()` before the tests, `msw.close()` after them; `api.reset()` after each. */
export const msw = setupServer(
  http.all(
    'https://brokers.example/*',
    ({ request }) => api.fetch(request).catch(() => HttpResponse.error()), // a connection that breaks, as `api.fail('dropped')` asks for
  ),
);
