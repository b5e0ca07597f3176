import { describe, expect, test } from 'vitest';
import * as enterprise from '../enterprise.ts';
import { ENTERPRISE_SCOPES, enterpriseOpenApiDocument, PLANS } from '../enterprise.ts';
import { openApiDocument } from '../openapi.ts';

const server = { serverUrl: 'https://brokers.test/', version: '1.2.3' };
const document = enterpriseOpenApiDocument(server);
const text = JSON.stringify(document);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('lies below its own address', () => {
  expect(document.servers).toEqual([{ url: `https://brokers.test${enterprise.ENTERPRISE_BASE_PATH}` }]);
});

test('the document has every component that it refers to, and refers to every component', () => {
  const references = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name));
  const named = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, components]) => Object.keys(components).map((name) => `${kind}/${name}`));
  expect([...references].sort()).toEqual(named.sort());
});

test('leaves the document of the public API alone', () => {
  expect(JSON.stringify(openApiDocument(server))).not.toMatch(/enterprise/i);
});

describe.each(operations.map((operation) => [operation.operationId, operation] as const))('%s', (_, operation) => {
  test('needs a key with a scope that at least one plan has', () => {
    const access = operation['x-policy'].access as { scope: never };
    expect(ENTERPRISE_SCOPES).toContain(access.scope);
    expect(Object.values(PLANS).filter(({ scopes }) => scopes.includes(access.scope))).not.toEqual([]);
    expect(operation.security).toEqual([{ bearer: [] }]);
    for (const status of [401, 403, 429]) expect(operation.responses).toHaveProperty(String(status));
  });

  test('says what its parameters are', () => {
    for (const { name, description } of operation.parameters) expect(description, name).toMatch(/^[A-Z].*\.$/);
  });
});

test('every scope opens a route, but for that of texts, which decides what answers contain', () => {
  const opened = operations.map((operation) => (operation['x-policy'] as { access: { scope: string } }).access.scope);
  expect(ENTERPRISE_SCOPES.filter((scope) => !opened.includes(scope))).toEqual(['texts:read']);
});
