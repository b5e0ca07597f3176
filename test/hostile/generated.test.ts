import { contract } from '@broker-transparency/contract';
import { openApiDocument } from '@broker-transparency/contract/openapi';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Schema, validValue, wrongValue } from '../support/arbitraries.ts';
import { createToken, type FilledService, startFilledService } from '../support/filled-service.ts';
import { expectProper } from './proper.ts';

/** A fixed seed makes failures reproducible. fast-check prints it with the path to the smallest failing case. */
const RUN = { seed: 20_261_121, numRuns: 40 } as const;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly security: readonly object[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Parameters and body of a request. An omitted parameter is undefined. */
interface Parts {
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

const operationIds = Object.values(openApiDocument({ serverUrl: 'http://x', version: '0' }).paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => operation.operationId);

let service: FilledService;
let token: string;
let document: Document;

beforeAll(async () => {
  service = await startFilledService({ LOG_LEVEL: 'silent' });
  token = await createToken(service, 'generator');
  document = (await (await fetch(`${service.origin}/openapi.json`)).json()) as Document;
});
afterAll(() => service.remove());

const find = (id: string) => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) return { path, method: method.toUpperCase(), operation };
  throw new Error(`the served document has no operation ${id}`);
};

/** The contract's schemas of an operation's answers. */
interface Answers {
  readonly responses: Readonly<Record<number, { parse(value: unknown): unknown }>>;
}
const findResponses = (id: string): Answers['responses'] =>
  (id.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], contract) as Answers)
    .responses;

const bodySchema = ({ requestBody }: Operation): Schema | undefined => requestBody?.content['application/json']?.schema;

const isSendable = (value: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);

const parameterValue = ({ in: place, schema, example, required }: Parameter): fc.Arbitrary<string | undefined> => {
  const generated = validValue(schema, document.components.schemas)
    .map(String)
    .filter((value) => place !== 'header' || isSendable(value));
  const value = example === undefined ? generated : fc.oneof(fc.constant(String(example)), generated);
  return required ? value : fc.option(value, { nil: undefined });
};

const validParts = (operation: Operation): fc.Arbitrary<Parts> => {
  const schema = bodySchema(operation);
  return fc.record({
    parameters: fc.record(
      Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, parameterValue(parameter)])),
    ),
    body: schema === undefined ? fc.constant(undefined) : validValue(schema, document.components.schemas),
  });
};

interface TimedAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly ms: number;
}

const send = async (id: string, { parameters, body }: Parts, extraQuery = '', headers = {}): Promise<TimedAnswer> => {
  const { path, method, operation } = find(id);
  const given = operation.parameters.flatMap(({ name, in: place }) => {
    const value = parameters[name];
    return value === undefined ? [] : [{ name, place, value }];
  });
  const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
  const query = given
    .filter(({ place }) => place === 'query')
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const start = Date.now();
  const response = await fetch(`${service.baseUrl}${target}?${query.join('&')}${extraQuery}`, {
    method,
    headers: {
      ...Object.fromEntries(given.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value])),
      ...(operation.security.every((one) => 'bearer' in one) ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: new Map(response.headers), body: text, ms: Date.now() - start };
};

/** Returns true for a complaint about something that has not happened yet. */
const isInFuture = (body: unknown): boolean =>
  Date.parse((body as { readonly occurredAt?: string } | undefined)?.occurredAt ?? '') > Date.now() - 60_000;

/** Expects an answer that the document and the contract allow, and that is no refusal for load. */
const expectDocumented = (id: string, answer: TimedAnswer): void => {
  // fetch has decoded the body, so Content-Encoding no longer applies.
  expectProper({ ...answer, headers: new Map([...answer.headers].filter(([name]) => name !== 'content-encoding')) });
  expect(Object.keys(find(id).operation.responses)).toContain(String(answer.status));
  expect(answer.status).not.toBe(429);
  for (const name of ['ratelimit', 'ratelimit-policy']) expect(answer.headers.has(name), name).toBe(true);
  if (answer.status === 304) return;
  const json = JSON.parse(answer.body);
  expect(findResponses(id)[answer.status]?.parse(json)).toEqual(json); // no additional field
};

test('the served document has every operation of the contract', () => {
  const served = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(served.map((operation) => operation.operationId)).toEqual(operationIds);
  expect(operationIds).toHaveLength(9);
});

describe.each(operationIds)('%s', (id) => {
  test('gives documented answers to valid requests', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(validParts(find(id).operation), async (parts) => {
        const answer = await send(id, parts);
        expectDocumented(id, answer);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        // A cursor or a code can match its pattern although the service never issued it. `updatedSince` takes no offset.
        if (answer.status === 400)
          expect(
            ['cursor', 'regulator', 'updatedSince'].some((name) => parts.parameters[name] !== undefined) ||
              isInFuture(parts.body),
          ).toBe(true);
      }),
      RUN,
    );
    const good = [...statuses].filter(([status]) => status < 400).reduce((sum, [, count]) => sum + count, 0);
    expect(good, JSON.stringify([...statuses])).toBeGreaterThan(0);
  });

  test('refuses a parameter with one fault by its name', async () => {
    const { operation } = find(id);
    const { schemas } = document.components;
    const faulty = operation.parameters
      .filter(({ schema }) => JSON.stringify(schema) !== '{"type":"string"}') // If-None-Match may be any text
      .map(({ name, in: place, schema }) =>
        wrongValue(schema, schemas)
          .map(({ value }) => value)
          // Everything is sent as text, so a number in place of a string is valid.
          .filter((value) => typeof value === 'string' || (typeof value === 'number' && schema.type === 'integer'))
          .map(String)
          .filter((value) => (place === 'query' ? value.isWellFormed() : true))
          .filter((value) => (place === 'path' ? value.isWellFormed() && !/^\.{0,2}$/.test(value) : true))
          .filter((value) => (place === 'header' ? isSendable(value) : true))
          // Digits are valid for a number, even if the faulty value was a string of digits.
          .filter((value) => schema.type !== 'integer' || !/^(0|[1-9]\d*)$/.test(value) || !fits(Number(value), schema))
          .map((value) => ({ name, value })),
      );
    const required = operation.parameters.filter((parameter) => parameter.required && parameter.in === 'query');
    if (required.length > 0)
      faulty.push(fc.constantFrom(...required).map(({ name }) => ({ name, value: undefined as never })));
    const unknown = fc.constantFrom('extra', 'limits', '$where', '__proto__', 'constructor', 'limit[$gt]', '%00');
    await fc.assert(
      fc.asyncProperty(
        validParts(operation),
        fc.oneof(
          ...faulty,
          unknown.map((name) => ({ name, value: null })),
        ),
        async (parts, { name, value }) => {
          const answer =
            value === null
              ? await send(id, parts, `&${name}=1`)
              : await send(id, { ...parts, parameters: { ...parts.parameters, [name]: value } });
          expectDocumented(id, answer);
          expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'invalid_request']);
          const named = JSON.parse(answer.body).errors.map((item: { parameter: string }) =>
            item.parameter?.toLowerCase(),
          );
          expect(named).toContain(decodeURIComponent(name).toLowerCase());
        },
      ),
      RUN,
    );
  });

  test('refuses a repeated parameter', async () => {
    const { operation } = find(id);
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    for (const name of names) {
      const answer = await send(id, { parameters: {}, body: undefined }, `&${name}=1&${name}=1`);
      expectDocumented(id, answer);
      expect(JSON.parse(answer.body).errors[0]).toMatchObject({ parameter: name, code: 'repeated' });
    }
  });
});

const fits = (value: number, { minimum = 0, maximum = 0 }: Schema): boolean => value >= minimum && value <= maximum;

const withBody = operationIds.filter((id) => id.endsWith('.create'));

describe.each(withBody)('the body of %s', (id) => {
  test('refuses a body by the place of its one fault', async () => {
    const { operation } = find(id);
    const schema = bodySchema(operation) as Schema;
    await fc.assert(
      fc.asyncProperty(
        validParts(operation),
        wrongValue(schema, document.components.schemas),
        async ({ parameters }, { value, at }) => {
          const answer = await send(id, { parameters, body: value });
          expectDocumented(id, answer);
          const { code, errors = [] } = JSON.parse(answer.body);
          expect(answer.status).toBe(400);
          if (code === 'malformed_json') expect(typeof value !== 'object' || value === null).toBe(true);
          else {
            const pointers = errors.map(({ pointer }: { pointer: string }) => decodeURIComponent(pointer.slice(1)));
            expect(
              pointers.some((pointer: string) => pointer.startsWith(at)),
              `${at} in ${pointers}`,
            ).toBe(true);
          }
        },
      ),
      { ...RUN, numRuns: 250 },
    );
  });

  test('refuses a body that is cut short as malformed_json', async () => {
    const { path, operation } = find(id);
    await fc.assert(
      fc.asyncProperty(validParts(operation), fc.nat({ max: 999 }), async ({ body }, part) => {
        const text = JSON.stringify(body);
        const cut = text.slice(0, 1 + Math.floor(((text.length - 2) * part) / 1000));
        const start = Date.now();
        const response = await fetch(`${service.baseUrl}${path}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: cut,
        });
        const answer = { status: response.status, headers: new Map(response.headers), body: await response.text() };
        expectDocumented(id, { ...answer, ms: Date.now() - start });
        expect(JSON.parse(answer.body).code).toBe('malformed_json');
      }),
      RUN,
    );
  });

  test('answers 401 without a good credential, whatever the body', async () => {
    const credentials = fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^Bearer [A-Za-z0-9._~+/-]{1,80}=*$/),
      fc.stringMatching(/^(Basic|Digest|Negotiate|bearer) [\x21-\x7e]{1,40}$/),
    );
    await fc.assert(
      fc.asyncProperty(validParts(find(id).operation), credentials, async (parts, Authorization) => {
        const answer = await send(id, parts, '', { Authorization });
        expectDocumented(id, answer);
        expect(answer.status).toBe(401);
      }),
      RUN,
    );
  });
});

test('answers 403 to valid reviews of people who are not verified', async () => {
  await fc.assert(
    fc.asyncProperty(validParts(find('reviews.create').operation), async (parts) => {
      const answer = await send('reviews.create', parts, '', { Authorization: `Bearer ${service.unverified}` });
      expectDocumented('reviews.create', answer);
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'kyc_required']);
    }),
    RUN,
  );
});
