import { openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { expect, test } from 'vitest';
import { llmsText } from './llms.ts';

const given = { serverUrl: 'https://brokers.example', version: '1.0.0' };
const documents = { api: openApiDocument(given), record: recordOpenApiDocument(given) };
const text = llmsText(documents, 'https://brokers.example');

test('llms.txt begins with a title and a summary, and its sections are lists of links', () => {
  expect(text).toMatch(/^# .+\n\n> .+\n\n/);
  const [, ...sections] = text.split(/^## .+\n/m);
  expect(sections.length).toBeGreaterThan(0);
  for (const section of sections) expect(section).toMatch(/^\n(- \[.+\]\(https:\/\/brokers\.example\/\S+\): .+\n)+$/);
});

test('llms.txt names every call, with what it takes and needs', () => {
  for (const { paths } of Object.values(documents))
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) expect(text).toContain(`\`${method.toUpperCase()} ${path}\``);
  expect(text).toContain('- `GET /search`: The 20 brokers that match best. Query: q.\n');
  expect(text).toMatch(/`GET \/brokers`: .+ Query: limit\?, offset\?, color\?, country\?, .+\.\n/);
  expect(text).toMatch(/`POST \/reviews`: .+ Needs a bearer token\.\n/);
  expect(text).toMatch(/`GET \/brokers\/\{slug\}\/at`: .+ Query: knownAt\?, validAt\?\.\n/);
  expect(text).toContain('Paths below `https://brokers.example/api/v1`:');
  expect(text).toContain('Paths below `https://brokers.example/transparency/v1`:');
});
