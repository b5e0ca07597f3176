import {
  ENTERPRISE_BASE_PATH,
  ENTERPRISE_SCOPES,
  type EnterpriseMeta,
  type EnterpriseScope,
  enterpriseOpenApiDocument,
  PLAN_NAMES,
  PLANS,
  type PlanName,
} from '@broker-transparency/contract/enterprise';
import type { Operation } from '@broker-transparency/contract/openapi';
import { ROUTES, type Route } from '@broker-transparency/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { markAsDemo } from '../support/demo-service.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send, steadyHeaders } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';

const routes = ROUTES.filter(({ basePath }) => basePath === ENTERPRISE_BASE_PATH);

/** A way to make the thing that a path names. An organisation makes its own things, each under a name of its own. */
type Place =
  | { readonly shared: string }
  | { readonly own: (ask: AsCustomer, name: string) => Promise<string>; readonly missing: (at: number) => string };

const created = (answer: HttpResponse): HttpResponse => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
};

/** By the path up to its first parameter. A route with a parameter that is not here fails. */
const PLACES: Readonly<Record<string, Place>> = {
  '/snapshots/:number': { shared: '0' },
  '/brokers/:slug': { shared: 'alpha-markets' },
  '/regulators/:code': { shared: 'fca' },
  '/watchlists/:name': {
    own: async (ask, name) => {
      created(await ask(`/watchlists/${name}`, { method: 'PUT', body: { brokers: ['alpha-markets'] } }));
      return name;
    },
    missing: (at) => `not-${at}`,
  },
  '/webhooks/:id': {
    own: async (ask, name) => {
      const made = created(await ask('/webhooks', { body: { url: `https://hooks.example/${name}` } }));
      return made.json<{ endpoint: { id: string } }>().endpoint.id;
    },
    missing: (at) => `we_${String(at).padStart(24, '0')}`,
  },
};

const findPlaceName = ({ path }: Route): string | undefined => /^.*?\/:\w+/.exec(path)?.[0];
const findPlace = (route: Route): Place | undefined => {
  const at = findPlaceName(route);
  const place = at === undefined ? undefined : PLACES[at];
  if (at !== undefined && !place) throw new Error(`PLACES has no row for ${at}: say how such a thing is made`);
  return place;
};

const { paths, components } = enterpriseOpenApiDocument({ serverUrl: 'https://brokers.test', version: '1.0.0' });

/** A valid request for a route, made from the examples of the OpenAPI document. */
const createSample = (route: Route, value?: string) => {
  const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] as Operation;
  const needed = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  const place = findPlace(route);
  const path = route.path.replace(/:\w+/, value ?? (place && 'shared' in place ? place.shared : 'none'));
  const [example] = Object.keys(operation.requestBody?.content['application/json']?.examples ?? {});
  return {
    path: query ? `${path}?${query}` : path,
    asked: {
      method: route.method,
      ...(example === undefined ? {} : { body: components.examples[example]?.value }),
    },
  };
};

let sandbox: LocalService;
let live: LocalService;

const cli = async (service: LocalService, ...args: string[]): Promise<string> =>
  succeeded(await service.cli('enterprise', ...args)).trim();
const grant = (service: LocalService, id: string, plan: PlanName, ...more: string[]): Promise<string> =>
  cli(service, 'grant', id, '--name', id, '--plan', plan, '--accepted-by', 'a test', ...more);
const issue = (service: LocalService, id: string, ...more: string[]): Promise<string> =>
  cli(service, 'issue-key', id, '--quiet', ...more);
const findKeyId = async (organisation: string): Promise<string> => {
  const key = await inDatabase(sandbox, (db) => db.collection('organisationKeys').findOne({ organisation }));
  return key?.['id'];
};
const change = (organisation: string, update: object): Promise<unknown> =>
  inDatabase(sandbox, (db) => db.collection('organisationKeys').updateOne({ organisation }, { $set: update }));

/** A way to make a key, and the rights that it has then. */
interface KeyKind {
  readonly make: (organisation: string) => Promise<string | undefined>;
  /** Scopes that it has, if its plan has them; none: it is refused by this code everywhere. */
  readonly scopes?: readonly EnterpriseScope[];
  readonly refused?: 'invalid_token' | 'authentication_required' | 'insufficient_scope';
}

const sandboxKey = (id: string, ...more: string[]) => issue(sandbox, id, '--sandbox', ...more);

const singles = Object.fromEntries(
  ENTERPRISE_SCOPES.map((scope): [string, KeyKind] => [
    `a key for ${scope}`,
    { make: (id) => sandboxKey(id, '--scope', scope), scopes: [scope] },
  ]),
);

const KEYS: Readonly<Record<string, KeyKind>> = {
  'no key': { make: async () => undefined, refused: 'authentication_required' },
  'an invented key': { make: async () => 'bte_sandbox_xyz', refused: 'invalid_token' },
  'a full key': { make: (id) => sandboxKey(id), scopes: ENTERPRISE_SCOPES },
  'a key with more scopes than its plan': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await change(id, { scopes: ENTERPRISE_SCOPES });
      return key;
    },
    scopes: ENTERPRISE_SCOPES,
  },
  ...singles,
  'an expired key': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await change(id, { expiresAt: new Date(Date.now() - 1) });
      return key;
    },
    refused: 'invalid_token',
  },
  'a revoked key': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await cli(sandbox, 'revoke-key', await findKeyId(id));
      return key;
    },
    refused: 'invalid_token',
  },
  'a key that leaked, and was revoked by its text': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await cli(sandbox, 'revoke-key', key);
      return key;
    },
    refused: 'invalid_token',
  },
  'a rotated key within the overlap': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await cli(sandbox, 'rotate-key', await findKeyId(id));
      return key;
    },
    scopes: ENTERPRISE_SCOPES,
  },
  'a rotated key after the overlap': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await cli(sandbox, 'rotate-key', await findKeyId(id), '--overlap', '0h');
      return key;
    },
    refused: 'invalid_token',
  },
  'the key that replaces it': {
    make: async (id) => {
      await sandboxKey(id);
      return cli(sandbox, 'rotate-key', await findKeyId(id), '--quiet');
    },
    scopes: ENTERPRISE_SCOPES,
  },
  'a key for another address': {
    make: (id) => sandboxKey(id, '--address', '203.0.113.0/24'),
    refused: 'insufficient_scope',
  },
  'a key for this address': {
    make: (id) => sandboxKey(id, '--address', '203.0.113.7,127.0.0.0/8'),
    scopes: ENTERPRISE_SCOPES,
  },
  'a key of an agreement that has ended': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await cli(sandbox, 'end', id);
      return key;
    },
    refused: 'invalid_token',
  },
  'a key of an agreement that ends later': {
    make: async (id) => {
      const key = await sandboxKey(id);
      await cli(sandbox, 'end', id, '--at', '30d');
      return key;
    },
    scopes: ENTERPRISE_SCOPES,
  },
  'a key for live data': { make: (id) => issue(sandbox, id), refused: 'invalid_token' },
};

const keys = new Map<string, string | undefined>();

/**
 * Starts a sandbox whose one broker is fictional: answers about a whole demo set take longer than what is shown here.
 */
const startSandbox = async (url: string | undefined): Promise<LocalService> => {
  const before = await startService({ MONGODB_URL: url });
  const fictional = { description: 'Fictional demo broker.' };
  await importRows(before, 'brokers', [brokerRow('alpha-markets', fictional)]);
  await inDatabase(before, markAsDemo);
  await before.remove();
  const service = await startService({ MONGODB_URL: url }, { demo: true });
  await service.settle();
  return service;
};

const sandboxUrl = newSharedDatabase();

beforeAll(async () => {
  [sandbox, live] = await Promise.all([startSandbox(sandboxUrl), startService()]);
  for (const [at, [name, { make }]] of Object.entries(KEYS).entries()) {
    await grant(sandbox, `org-${at}`, 'regulator'); // each has a budget of its own
    keys.set(name, await make(`org-${at}`));
  }
});
afterAll(async () => {
  await sandbox?.remove();
  await dropSharedDatabase(sandboxUrl);
  await live?.remove();
});

const ask =
  (service: LocalService, token: string | undefined): AsCustomer =>
  (path, asked) =>
    send(`${service.origin}${ENTERPRISE_BASE_PATH}${path}`, { token, ...asked });

/** The code of the refusal that plan, key and route demand; undefined: the caller is let in. */
const refusal = (plan: PlanName, { scopes = [], refused }: KeyKind, { metadata }: Route): string | undefined => {
  if (refused !== undefined) return refused;
  const { scope } = (metadata as EnterpriseMeta).access;
  return scopes.includes(scope) && PLANS[plan].scopes.includes(scope) ? undefined : 'insufficient_scope';
};

const STATUS: Readonly<Record<string, number>> = {
  authentication_required: 401,
  invalid_token: 401,
  insufficient_scope: 403,
};

describe.each(PLAN_NAMES)('with the plan %s', (plan) => {
  beforeAll(() =>
    inDatabase(sandbox, (db) =>
      db.collection('organisations').updateMany({ _id: /^org-/ as never }, { $set: { plan } }),
    ),
  );

  test.each(Object.entries(KEYS))('%s opens what it is for, and nothing else', async (name, kind) => {
    const asCustomer = ask(sandbox, keys.get(name));
    for (const route of routes) {
      const { path, asked } = createSample(route);
      const answer = await asCustomer(path, asked);
      const code = refusal(plan, kind, route);
      const what = `${route.method} ${path}: ${answer.text}`;
      if (code === undefined) {
        expect([401, 403, 429], what).not.toContain(answer.status);
        expect(answer.status, what).toBeLessThan(500);
      } else {
        expect([answer.status, expectProblem(answer).code], what).toEqual([STATUS[code], code]);
        expect(answer.headers['www-authenticate'] ?? 'none', what).toMatch(/^Bearer realm=|^none$/);
      }
    }
  });
});

describe('what is not there and what is not yours', () => {
  const named = routes.filter((route) => {
    const place = findPlace(route);
    return place !== undefined && 'own' in place;
  });

  test('this test knows what every route with a name in its path leads to', () => {
    for (const route of routes) expect(() => findPlace(route), route.path).not.toThrow();
  });

  test('answers alike for what is not there and for what belongs to another organisation', async () => {
    const [owner, stranger] = [await newCustomer('owner'), await newCustomer('stranger')];
    for (const [at, route] of named.entries()) {
      const place = findPlace(route) as Extract<Place, { own: unknown }>;
      const value = await place.own(owner, `own-${at}`);
      const missing = place.missing(at);
      const without = (answer: HttpResponse): unknown => {
        const { etag, ...headers } = steadyHeaders(answer);
        const text = answer.text.replaceAll(value, '·').replaceAll(missing, '·');
        return [answer.status, headers, text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f-]{36}/g, '·')];
      };
      const send = (as: AsCustomer, name: string) => {
        const { path, asked } = createSample(route, name);
        return as(path, asked);
      };
      expect(without(await send(stranger, value)), route.path).toEqual(without(await send(stranger, missing)));
      expect((await send(owner, value)).status, `${route.method} ${route.path}`).not.toBe(404);
    }
  });
});

/** A customer of the sandbox with every scope. */
const newCustomer = async (id: string): Promise<AsCustomer> => {
  await grant(sandbox, id, 'regulator');
  return ask(sandbox, await sandboxKey(id));
};

describe('a service with live data', () => {
  test('takes live keys and no keys of the sandbox', async () => {
    const asLive = await grantCustomer(live, 'acme', 'institution');
    expect((await asLive('/account')).json()).toMatchObject({ organisation: 'acme', environment: 'live' });
    const other = await issue(live, 'acme', '--sandbox');
    const answer = await ask(live, other)('/account');
    expect([answer.status, expectProblem(answer).code]).toEqual([401, 'invalid_token']);
    expect(expectProblem(answer).detail).toContain('sandbox');
  });

  test('a service with live data does not have the paths of the sandbox', async () => {
    const asLive = await grantCustomer(live, 'without-sandbox', 'regulator');
    for (const method of ['POST', 'GET', 'DELETE']) {
      const [events, nothing] = [await asLive('/test-events', { method }), await asLive('/test-nothing', { method })];
      expect(events.status).toBe(404);
      expect(events.text.replaceAll('test-events', '·').replace(/[0-9a-f-]{36}/, '')).toBe(
        nothing.text.replaceAll('test-nothing', '·').replace(/[0-9a-f-]{36}/, ''),
      );
    }
  });
});

test('another path or method says nothing to those without a key', async () => {
  const asNobody = ask(sandbox, undefined);
  for (const [path, method] of [
    ['/nothing', 'GET'],
    ['/account', 'DELETE'],
  ] as const)
    expect((await asNobody(path, { method })).status, path).toBe(401);
  const customer = await newCustomer('curious');
  expect((await customer('/nothing')).status).toBe(404);
  expect((await customer('/account', { method: 'DELETE' })).status).toBe(405);
});
