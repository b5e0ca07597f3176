import { expect, test } from 'vitest';
import { ProofError, WebhookError } from './enterprise.ts';
import {
  ApiError,
  BrokerNotFoundError,
  BrokerTransparencyError,
  ConnectionError,
  InvalidResponseError,
  RequestError,
  TimeoutError,
} from './index.ts';
import { ContradictionError } from './proven/contradiction.ts';
import { SchemaDriftError } from './strict.ts';
import { DownloadError } from './verify/node.ts';
import { VerifyError } from './verify.ts';

const request = { method: 'GET', url: 'https://brokers.example/', idempotencyKey: undefined };
const problem = { code: 'broker_not_found' };

test.each<[string, Error, boolean]>([
  ['RequestError', new RequestError('m', request), true],
  ['ConnectionError', new ConnectionError('m', request), true],
  ['TimeoutError', new TimeoutError(request, 5), true],
  ['InvalidResponseError', new InvalidResponseError('m', request, new Response()), true],
  ['ApiError', new ApiError(problem, request, new Response()), true],
  ['BrokerNotFoundError', new BrokerNotFoundError(problem, request, new Response()), true],
  ['SchemaDriftError', new SchemaDriftError('brokers.get', [], request, new Response()), true],
  ['VerifyError', new VerifyError('malformed', 'm'), false],
  ['ProofError', new ProofError('page_altered', 'm'), false],
  ['WebhookError', new WebhookError('malformed', 'm'), false],
  ['DownloadError', new DownloadError('m', false), false],
  ['ContradictionError', new ContradictionError('m', [], { request, response: new Response() }), true],
])('%s is an error of this package and has this name', (name, error, isOfRequest) => {
  expect(error.name).toBe(name);
  expect(error).toBeInstanceOf(BrokerTransparencyError);
  expect(error instanceof RequestError).toBe(isOfRequest);
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toMatch(new RegExp(`^${name}: `));
  error.name = 'Renamed';
  expect(String(error)).toMatch(/^Renamed: /);
});
