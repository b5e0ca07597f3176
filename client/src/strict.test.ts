import { openApiDocument } from '@broker-transparency/contract/openapi';
import { describe, expect, test } from 'vitest';
import { quietConsole } from '../scripts/quiet-console.ts';
import { sendJson, serve } from '../scripts/test-server.ts';
import * as main from './index.ts';
import { type BrokerDetail, createClient, InvalidResponseError, recomputeScore, SchemaDriftError } from './strict.ts';

const { examples } = openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).components;
const broker = examples['BrokerDetail']?.value as BrokerDetail;

const answering = (body: unknown) => serve((response) => sendJson(response, 200, body));

describe('a strict client', () => {
  test('accepts answers that match the contract, and fields that the contract does not know', async () => {
    const body = { ...broker, newer: true };
    const { baseUrl } = await answering(body);
    expect(await createClient({ baseUrl }).brokers.get('alpha')).toEqual(body);
  });

  test('throws an error that names the place of a difference', async () => {
    const { baseUrl, requests } = await answering({ ...broker, color: 'purple' });
    const error = await createClient({ baseUrl })
      .brokers.get('alpha')
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SchemaDriftError);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ name: 'SchemaDriftError', call: 'brokers.get', issues: [{ path: 'color' }] });
    expect(error.message).toMatch(/\(color: /);
    expect(requests).toHaveLength(1);
  });

  test('reports a difference instead, beside other hooks', async () => {
    const { baseUrl } = await answering({ data: [{ slug: 1 }] });
    const drifts: SchemaDriftError[] = [];
    const answers: string[] = [];
    const client = createClient({
      baseUrl,
      onSchemaDrift: (drift) => drifts.push(drift),
      hooks: { response: ({ call }) => answers.push(call) },
    });
    expect(await client.search({ q: 'a' })).toEqual({ data: [{ slug: 1 }] });
    expect(drifts[0]?.issues.map(({ path }) => path)).toContain('data.0.slug');
    expect(answers).toEqual(['search']);
  });

  test('survives a report function that rejects, and logs the error', async () => {
    const complaints = quietConsole();
    const fault = new Error('no place to report to');
    const { baseUrl } = await answering({ data: [{ slug: 1 }] });
    const client = createClient({ baseUrl, onSchemaDrift: () => Promise.reject(fault) });
    expect(await client.search({ q: 'a' })).toEqual({ data: [{ slug: 1 }] });
    await new Promise(setImmediate);
    expect(complaints()).toEqual([[expect.stringContaining('onSchemaDrift'), fault]]);
  });

  test('limits the number of differences it names', async () => {
    const { baseUrl } = await answering({ data: Array(20_000).fill({}) });
    const error = await createClient({ baseUrl })
      .search({ q: 'a' })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SchemaDriftError);
    expect(error.message.length).toBeLessThan(3_000);
    expect(error.issues.length).toBeLessThanOrEqual(100);
  });

  test('leaves error answers unchanged', async () => {
    const { baseUrl } = await serve((response) => sendJson(response, 404, { code: 'broker_not_found' }));
    await expect(createClient({ baseUrl }).brokers.get('alpha')).rejects.toBeInstanceOf(main.BrokerNotFoundError);
  });
});

test('the main entry accepts new enum values and fields', async () => {
  const body = { ...broker, color: 'purple', newer: true };
  const { baseUrl } = await answering(body);
  expect(await main.createClient({ baseUrl }).brokers.get('alpha')).toEqual(body);
});

test('recomputes a score from its answer', () => {
  expect(recomputeScore(broker)).toEqual(broker.score);
  const forged = { ...broker, licenses: [] };
  expect(recomputeScore(forged)).not.toEqual(broker.score);
});
