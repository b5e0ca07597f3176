import { openApiDocument } from '@broker-transparency/contract/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

test('the OpenAPI document passes redocly’s recommended rules without a warning', async () => {
  const source = JSON.stringify(openApiDocument({ serverUrl: 'https://brokers.test', version: '1.0.0' }));
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  const found = problems.map(({ ruleId, severity, message, location }) => ({
    ruleId,
    severity,
    message,
    at: location[0]?.pointer,
  }));
  expect(found).toEqual([]);
});
