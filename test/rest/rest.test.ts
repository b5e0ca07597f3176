import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  ACCOUNT_BASE_PATH,
  accountContract,
  BASE_PATH,
  contract,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import { ROUTES, type Route, type ServiceRoute } from '@broker-transparency/contract/routes';
import * as tsRestCore from '@ts-rest/core';
import * as tsRestExpress from '@ts-rest/express';
import express, { type IRouter } from 'express';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { createSampleRequest, goodStatus, routes } from '../support/routes.ts';
import * as adapter from './adapter.ts';

const CONTRACTS = {
  [BASE_PATH]: contract,
  [ACCOUNT_BASE_PATH]: accountContract,
  [TRANSPARENCY_BASE_PATH]: transparencyContract,
  [ENTERPRISE_BASE_PATH]: enterpriseContract,
};
type Contracts = typeof CONTRACTS;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Parts<T> = Pick<T, keyof T & ('params' | 'query' | 'body')>;
type Flat<T> = { [Name in keyof T]: T[Name] };
type NamedRoute<Routes, Path extends string = ''> = {
  [Name in keyof Routes & string]: Routes[Name] extends adapter.AppRoute
    ? readonly [`${Path}${Name}`, Routes[Name]]
    : NamedRoute<Routes[Name], `${Path}${Name}.`>;
}[keyof Routes & string];
/** Names of routes of which the adapter infers something else than ts-rest does. */
type Different<Each> = Each extends readonly [infer Name, infer Route extends adapter.AppRoute & tsRestCore.AppRoute]
  ? [
      Same<Flat<Parts<tsRestCore.ServerInferRequest<Route>>>, Flat<Parts<adapter.ServerInferRequest<Route>>>>,
      Same<tsRestCore.ServerInferResponseBody<Route>, Flat<adapter.ServerInferResponses<Route>['body']>>,
    ] extends [true, true]
    ? never
    : Name
  : Each;

test('our adapter infers the same requests and answers as ts-rest', () => {
  const routes: { readonly different: Different<NamedRoute<Contracts>>[] } = { different: [] };
  expectTypeOf(routes.different).toEqualTypeOf<never[]>(); // judged by the compiler
});

test('contract and server compile with our adapter in place of ts-rest', async () => {
  const tsc = join(import.meta.dirname, '../../node_modules/typescript-7/bin/tsc');
  const compiled = promisify(execFile)(process.execPath, [
    tsc,
    '--project',
    import.meta.dirname,
    '--noEmit',
    '--checkers',
    '1',
  ]);
  const { stdout } = await compiled.catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test('our adapter makes the same handlers of the same parts as ts-rest', () => {
  const describeHandlers = (library: Pick<typeof adapter, 'initServer' | 'isAppRoute'>) => {
    const server = library.initServer();
    const search = server.route(contract.search, async () => ({ status: 200, body: { data: [] } }));
    const handlers = server.router({ search: contract.search }, { search });
    const kinds = [contract.brokers, contract.search, contract.brokers.get].map(library.isAppRoute);
    return { handlers: Object.keys(handlers), isSearch: handlers.search === search, kinds };
  };
  const { initServer, isAppRoute } = adapter;
  const ours = describeHandlers({ initServer, isAppRoute });
  expect(ours).toMatchObject({ handlers: ['search'], isSearch: true, kinds: [false, true, true] });
  expect(describeHandlers({ ...tsRestCore, ...tsRestExpress } as unknown as typeof adapter)).toEqual(ours);
});

test('ts-rest would make the same contracts of the routes: it takes them as they are', () => {
  const { router } = tsRestCore.initContract();
  for (const each of Object.values(CONTRACTS)) expect(router(each as tsRestCore.AppRouter)).toEqual(each);
});

type Serve = (entry: adapter.AppRouter, implementation: never, app: IRouter, options: never) => void;

/** Handlers that answer what they are given. */
const echoes = (entry: object): unknown =>
  'metadata' in entry
    ? async ({ req, res: _, files: __, file: ___, ...parts }: Record<string, unknown>) => ({
        status: goodStatus(entry as Route),
        body: { ...parts, route: (req as { tsRestRoute: Route }).tsRestRoute.path },
      })
    : Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, echoes(inner)]));

/** Serves all contracts. Returns where. */
const serve = async (createExpressEndpoints: Serve): Promise<string> => {
  const app = express();
  app.use(express.json({ strict: false }));
  for (const [basePath, each] of Object.entries(CONTRACTS)) {
    const router = express.Router({ caseSensitive: true, strict: true });
    createExpressEndpoints(each, echoes(each) as never, router, {
      logInitialization: false,
      responseValidation: false,
      globalMiddleware: [
        (req: { tsRestRoute: Route }, res: express.Response, next: express.NextFunction) => {
          res.set('X-Route', req.tsRestRoute.path);
          next();
        },
      ],
      requestValidationErrorHandler: (
        { pathParams, headers, query, body }: adapter.RequestValidationError,
        _req: unknown,
        res: express.Response,
      ) => {
        const issues = [pathParams, headers, query, body].map((error) => error?.issues);
        res.status(400).json(issues);
      },
    } as never);
    app.use(basePath, router);
  }
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once('listening', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const sendRequest = async (origin: string, { method, path, body, headers = {} }: SentRequest) => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...init,
  });
  const text = (await answer.text()).replaceAll(new URL(origin).host, 'host');
  return {
    status: answer.status,
    route: answer.headers.get('x-route'),
    type: answer.headers.get('content-type'),
    text,
  };
};

/** Requests to a route, right and wrong. */
const listVariants = (route: ServiceRoute): SentRequest[] => {
  const paths = ['alpha-markets', '2026-11', '7', '%20'].map((value) => route.path.replaceAll(/:\w+/g, value));
  const queries = ['?limit=7&limit=8', '?limit=x&nothing=1', '?broker=alpha-markets&since=2026-11-01&month=2026-11'];
  const targets = [...paths, ...queries.map((query) => `${paths[0]}${query}`)].map(
    (path) => `${route.basePath}${path}`,
  );
  const bodies =
    route.method === ('GET' as string)
      ? [undefined]
      : [undefined, {}, [], 'text', { broker: 'alpha-markets', title: 'a' }];
  const [path = ''] = targets;
  return [
    ...targets.map((each) => ({ method: route.method, path: each, body: bodies[1] })),
    ...bodies.map((body) => ({ method: route.method, path, body })),
    { method: route.method, path, headers: { 'Idempotency-Key': 'with blanks' } },
    { method: 'DELETE', path },
  ];
};

test('our adapter answers requests to every route as ts-rest does', async () => {
  const [ours, theirs] = await Promise.all([
    serve(adapter.createExpressEndpoints as Serve),
    serve(tsRestExpress.createExpressEndpoints as unknown as Serve),
  ]);
  const samples = routes.map((route) => ({
    route,
    sent: { ...createSampleRequest(route), path: `${route.basePath}${createSampleRequest(route).path}` },
  }));
  for (const { route, sent } of samples) {
    const answer = await sendRequest(ours, sent);
    expect(answer, sent.path).toMatchObject({ status: goodStatus(route), route: route.path });
    expect(await sendRequest(theirs, sent), sent.path).toEqual(answer);
  }
  const variants = ROUTES.flatMap(listVariants);
  const seen = new Set<number>();
  for (const sent of variants) {
    const [answer, expected] = await Promise.all([sendRequest(ours, sent), sendRequest(theirs, sent)]);
    expect(answer, JSON.stringify(sent)).toEqual(expected);
    seen.add(answer.status);
  }
  expect([...seen].sort()).toEqual([200, 201, 400, 404]);
});

test('our adapter holds answers to the contract as ts-rest does', () => {
  const list = {
    appRoute: contract.brokers.list,
    response: { status: 200, body: { data: [], pagination: { limit: 1, offset: 0, total: 0, more: 1 }, more: 1 } },
  };
  const held = adapter.validateResponse(list);
  expect(held).toEqual({ status: 200, body: { data: [], pagination: { limit: 1, offset: 0, total: 0 } } });
  expect(tsRestCore.validateResponse(list)).toEqual(held);
  for (const appRoute of ROUTES) {
    const wrong = { appRoute: appRoute as never, response: { status: goodStatus(appRoute), body: 7 } };
    expect(() => adapter.validateResponse(wrong), appRoute.path).toThrow('Response validation failed for');
    expect(() => tsRestCore.validateResponse(wrong), appRoute.path).toThrow('Response validation failed for');
  }
});
