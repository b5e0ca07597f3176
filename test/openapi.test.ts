import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const server = { serverUrl: 'https://brokers.test', version: '1.0.0' };

test.each([
  ['of the API', openApiDocument(server)],
  ['of the record', recordOpenApiDocument(server)],
  ['of own submissions', accountOpenApiDocument(server)],
  ['for customers', enterpriseOpenApiDocument(server)],
])(
  'the OpenAPI document %s passes redocly’s recommended rules without a warning, and describes each operation',
  async (_, document) => {
    const source = JSON.stringify(document);
    const config = await createConfig({ extends: ['recommended'], rules: { 'operation-description': 'error' } });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    const found = problems.map(({ ruleId, severity, message, location }) => ({
      ruleId,
      severity,
      message,
      at: location[0]?.pointer,
    }));
    expect(found).toEqual([]);
  },
);
