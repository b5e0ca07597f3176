import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '@broker-transparency/contract/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportOpenApi } from './report-openapi.ts';
import { compareReports } from './report-text.ts';
import { reportTypes } from './report-types.ts';

/** A small API with one answer and one request. */
const api = (answer: object, request: object = {}, query: readonly object[] = []): OpenApiDocument =>
  ({
    paths: {
      '/brokers': {
        get: {
          'x-policy': { access: 'public' },
          parameters: query,
          responses: {
            200: {
              headers: { ETag: {} },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Broker' } } },
            },
          },
        },
        post: {
          'x-policy': { access: 'token' },
          requestBody: { content: { 'application/json': { schema: request } } },
          responses: { 404: { $ref: '#/components/responses/NotFound' } },
        },
      },
    },
    components: { schemas: { Broker: { type: 'object', ...answer } } },
  }) as unknown as OpenApiDocument;

const text = { type: 'string' };
const NO_COLOR = { properties: { name: text }, required: [] };
const field = (schema: object, required = true) => ({
  properties: { color: schema, name: text },
  required: required ? ['color'] : [],
});

const listChanges = (before: OpenApiDocument, now: OpenApiDocument) =>
  compareReports(reportOpenApi(before), reportOpenApi(now));

test.each([
  ['a removed field', field(text), NO_COLOR, ['- schema Broker › color: string']],
  ['a new field', NO_COLOR, field(text), ['+ schema Broker › color: string']],
  [
    'another type',
    field(text),
    field({ type: 'integer' }),
    ['- schema Broker › color: string', '+ schema Broker › color: integer'],
  ],
  [
    'another format',
    field(text),
    field({ ...text, format: 'date' }),
    ['- schema Broker › color: string', '+ schema Broker › color: string(date)'],
  ],
  [
    'a field that may be missing',
    field(text),
    field(text, false),
    ['- schema Broker › color: string', '+ schema Broker › color?: string'],
  ],
  [
    'a removed value',
    field({ enum: ['red', 'green'] }),
    field({ enum: ['red'] }),
    ['- schema Broker › color: "red" | "green"', '+ schema Broker › color: "red"'],
  ],
  [
    'a removed value of an open enum',
    field({ ...text, 'x-extensible-enum': ['red', 'green'] }),
    field({ ...text, 'x-extensible-enum': ['red'] }),
    ['- schema Broker › color: "red" | "green" | other string', '+ schema Broker › color: "red" | other string'],
  ],
  [
    'an enum that may grow now',
    field({ ...text, enum: ['red'] }),
    field({ ...text, 'x-extensible-enum': ['red'] }),
    ['- schema Broker › color: "red"', '+ schema Broker › color: "red" | other string'],
  ],
  [
    'a field that may be null now',
    field(text),
    field({ type: ['string', 'null'] }),
    ['- schema Broker › color: string', '+ schema Broker › color: string | null'],
  ],
  [
    'a field that is never null any more',
    field({ anyOf: [text, { type: 'null' }] }),
    field(text),
    ['- schema Broker › color: string | null', '+ schema Broker › color: string'],
  ],
])('the report of an OpenAPI document shows in an answer %s', (_, before, now, changes) => {
  expect(listChanges(api(before), api(now))).toEqual(changes);
});

test.each([
  ['a new required field', NO_COLOR, field(text), [], ['color: string']],
  ['a new optional field', NO_COLOR, field(text, false), [], ['color?: string']],
  ['a removed field', field(text, false), NO_COLOR, ['color?: string'], []],
  [
    'a removed value',
    field({ enum: ['red', 'green'] }),
    field({ enum: ['red'] }),
    ['color: "red" | "green"'],
    ['color: "red"'],
  ],
  [
    'a new value',
    field({ enum: ['red'] }),
    field({ enum: ['red', 'green'] }),
    ['color: "red"'],
    ['color: "red" | "green"'],
  ],
  [
    'a lower maximum',
    field({ type: 'integer', maximum: 5 }),
    field({ type: 'integer', maximum: 4 }),
    ['color: integer maximum 5'],
    ['color: integer maximum 4'],
  ],
])('the report of an OpenAPI document shows in a request %s', (_, before, now, gone, added) => {
  expect(listChanges(api({}, before), api({}, now))).toEqual([
    ...gone.map((line) => `- POST /brokers › body? › ${line}`),
    ...added.map((line) => `+ POST /brokers › body? › ${line}`),
  ]);
});

test('the report of an OpenAPI document shows parameters, headers, and removed routes', () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  expect(listChanges(api({}, {}, [limit]), api({}, {}, []))).toEqual(['- GET /brokers › query limit?: integer']);
  expect(listChanges(api({}, {}, [limit]), api({}, {}, [{ ...limit, required: true }]))).toEqual([
    '- GET /brokers › query limit?: integer',
    '+ GET /brokers › query limit: integer',
  ]);
  expect(listChanges(api({}), { ...api({}), paths: {} })).toEqual([
    '- GET /brokers',
    '- GET /brokers › policy {"access":"public"}',
    '- GET /brokers › 200: Broker as application/json, headers ETag',
    '- POST /brokers',
    '- POST /brokers › policy {"access":"token"}',
    '- POST /brokers › body?: any as application/json',
    '- POST /brokers › shared answers: 404 NotFound',
  ]);
});

test('a changed description or example changes no report', () => {
  const described = { ...text, title: 'Color', description: 'Before; "{ now', examples: ['red'] };
  expect(listChanges(api(field(text)), api(field(described)))).toEqual([]);
});

const BEFORE = `
import * as z from 'zod';
/** A rating. */
export const Rating = z.object({ stars: z.number() });
export const Broker = z.object({ name: z.string(), rating: Rating.optional() });
export type Broker = z.infer<typeof Broker>;
interface Shared { retries?: number }
export interface ClientOptions extends Shared { baseUrl: string; token?: string }
export class Client {
  readonly #secret = 1;
  private hidden = 2;
  readonly options: ClientOptions;
  constructor(options: ClientOptions) { this.options = options; }
  get(slug: string): Promise<Broker> { return Promise.reject(slug + this.#secret + this.hidden); }
}
export const createClient = (options: ClientOptions): Client => new Client(options);
export const VERSION = '1';
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reports-'));
  await symlink(join(import.meta.dirname, '../../contract/node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The changes of reports after each list of replacements. */
const typeChanges = async (
  ...versions: readonly (readonly (readonly [from: string, to: string])[])[]
): Promise<string[][]> => {
  const sources = versions.map((changes) => changes.reduce((source, [from, to]) => source.replace(from, to), BEFORE));
  const entries: Record<string, string> = {};
  for (const [at, source] of [BEFORE, ...sources].entries()) {
    const file = join(folder, `version-${at}.ts`);
    await writeFile(file, source);
    entries[`${at}`] = file;
  }
  const { 0: before = '', ...reports } = reportTypes(folder, entries);
  return Object.values(reports).map((report) => compareReports(before, report));
};

const SLOW = 180_000; // the compiler reads its libraries

test(
  'the report of an entry shows what users see of it: schemas, options, classes, and declarations behind them',
  async () => {
    const file = join(folder, 'before.ts');
    await writeFile(file, BEFORE);
    expect(reportTypes(folder, { '.': file })['.']).toBe(
      [
        'const type Broker: Schema<{ name: string; rating?: Rating }>',
        'class Client { readonly options: ClientOptions; new (options: ClientOptions); get: (slug: string) => Promise<Broker> }',
        'interface ClientOptions extends Shared { baseUrl: string; token?: string }',
        'const Rating: Schema<{ stars: number }>',
        "const VERSION: '1'",
        'const createClient: (options: ClientOptions) => Client',
        'internal interface Shared { retries?: number }',
        '',
      ].join('\n'),
    );
  },
  SLOW,
);

test(
  'names a changed or removed field, option, method, export or internal declaration',
  async () => {
    expect(
      await typeChanges(
        [['name: z.string()', 'name: z.number()']],
        [['stars: z.number()', 'stars: z.number().optional()']],
        [['token?: string', '']],
        [['slug: string): Promise', 'slug: string, at?: Date): Promise']],
        [["export const VERSION = '1';", '']],
        [['retries?: number', 'retries: number']],
        [['export const createClient = (options', 'export const createClient = (options?']],
      ),
    ).toEqual([
      ['- const type Broker › name: string', '+ const type Broker › name: number'],
      ['- const Rating › stars: number', '+ const Rating › stars?: number'],
      ['- interface ClientOptions › token?: string'],
      [
        '- class Client › get: (slug: string) => Promise<Broker>',
        '+ class Client › get: (slug: string, at?: Date) => Promise<Broker>',
      ],
      ["- const VERSION: '1'"],
      ['- internal interface Shared › retries?: number', '+ internal interface Shared › retries: number'],
      [
        '- const createClient: (options: ClientOptions) => Client',
        '+ const createClient: (options?: ClientOptions) => Client',
      ],
    ]);
  },
  SLOW,
);

test(
  'names what an entry no longer takes from another one',
  async () => {
    await writeFile(join(folder, 'main.ts'), 'export const A = 1;\nexport const B = 2;\n');
    const createReport = async (source: string) => {
      await writeFile(join(folder, 'again.ts'), source);
      const entries = { '.': join(folder, 'main.ts'), './again': join(folder, 'again.ts') };
      return reportTypes(folder, entries)['./again'] ?? '';
    };
    const before = await createReport("export * from './main.ts';\n");
    expect(before).toBe("from '.': A, B\n");
    expect(compareReports(before, await createReport("export { A } from './main.ts';\n"))).toEqual(["- from '.' › B"]);
  },
  SLOW,
);

test(
  'a changed comment, private member or body changes no report',
  async () => {
    expect(
      await typeChanges(
        [['/** A rating. */', '/** Stars. */']],
        [['private hidden = 2', 'private hidden = 3']],
        [['=> new Client(options)', '=> new Client({ ...options })']],
      ),
    ).toEqual([[], [], []]);
  },
  SLOW,
);
