import { type ApiCall, findBody, readPolicy } from './reference.ts';

/** Ways to send a request. */
export const SAMPLE_LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** The request that a sample sends. */
interface SampleRequest {
  /** Parameters of the path, in its order. */
  readonly path: readonly (string | number)[];
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: unknown;
}

/** Optional parameters of samples. */
const QUERIES: Readonly<Record<string, SampleRequest['query']>> = {
  'api brokers.list': { color: 'green', limit: 2 },
  'api reviews.list': { broker: 'alpha-markets', limit: 1 },
  'api news.list': { limit: 1 },
  'record brokers.history': { limit: 5 },
  'enterprise feed.changes': { after: 0, limit: 5 },
  'enterprise brokers.list': { limit: 2 },
  'enterprise brokers.timeline': { limit: 5 },
  'enterprise media.movers': { since: '2026-11-01', limit: 5 },
  'enterprise media.corrections': { since: '2026-11-01', limit: 5 },
};

/** Bodies of samples, if the contract's example is too short. */
const BODIES: Readonly<Record<string, unknown>> = {
  'enterprise sandbox.publish': { broker: 'alpha-markets' },
  'enterprise webhooks.create': { url: 'https://news.example/hooks/brokers', kinds: ['warning'] },
  'enterprise webhooks.change': { kinds: ['warning', 'license'] },
  'enterprise screening.screen': { queries: [{ name: 'Alpha Markets' }] },
  'enterprise watchlists.put': { brokers: ['alpha-markets'] },
};

/** Returns the request of a call's samples. */
const buildSampleRequest = (call: ApiCall): SampleRequest => {
  const { operation, api } = call;
  const key = `${api.name} ${operation.operationId}`;
  const chooseValue = (name: string, example: unknown): string | number =>
    typeof example === 'number' ? example : String(example ?? name);
  const listParameters = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const needed = listParameters('query').filter(({ required }) => required);
  return {
    path: listParameters('path').map(({ name, example }) => chooseValue(name, example)),
    query: QUERIES[key] ?? Object.fromEntries(needed.map(({ name, example }) => [name, chooseValue(name, example)])),
    body: BODIES[key] ?? findBody(api.document, operation.requestBody?.content)?.example,
  };
};

/** Returns the address of a sample. */
const buildUrl = ({ api, path }: ApiCall, sent: SampleRequest): string => {
  let at = 0;
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(String(sent.path[at++])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query)) query.set(name, String(value));
  return `${api.document.servers[0]?.url}${filled}${query.size > 0 ? `?${query}` : ''}`;
};

const isSecret = (call: ApiCall): boolean => readPolicy(call).access !== 'public';

/** Returns the address of a call that opens in a browser without a credential. */
export const findOpenAddress = (call: ApiCall): string | undefined =>
  call.method === 'GET' && !isSecret(call) ? buildUrl(call, buildSampleRequest(call)) : undefined;

/** Returns the name of the credential in samples. */
export const getSecretName = ({ api }: ApiCall): string => (api.name === 'enterprise' ? 'KEY' : 'TOKEN');

const curl = (call: ApiCall, sent: SampleRequest): string => {
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}"${buildUrl(call, sent)}"`,
    ...(isSecret(call) ? [`  -H "Authorization: Bearer $${getSecretName(call)}"`] : []),
    ...(sent.body === undefined
      ? []
      : [
          `  -H 'Content-Type: application/json'`,
          `  -d '${JSON.stringify(sent.body, null, 2).replaceAll("'", `'\\''`)}'`,
        ]),
  ];
  return `${lines.join(' \\\n')}\n`;
};

/** Formats a value in TypeScript or Python, which names `true` and `null` differently. */
const formatLiteral = (value: unknown, isPython: boolean, indent = ''): string => {
  const inner = `${indent}${isPython ? '    ' : '  '}`;
  const wrap = (open: string, items: readonly string[], close: string): string => {
    const short = items.join(', ');
    if (short.length < 70 && !short.includes('\n')) {
      return open === '{' && !isPython && items.length > 0 ? `{ ${short} }` : `${open}${short}${close}`;
    }
    return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
  };
  const quoted = (text: string): string =>
    isPython || text.includes("'")
      ? JSON.stringify(text)
      : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`;
  if (Array.isArray(value))
    return wrap(
      '[',
      value.map((item) => formatLiteral(item, isPython, inner)),
      ']',
    );
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, field]) => `${isPython ? JSON.stringify(name) : name}: ${formatLiteral(field, isPython, inner)}`,
    );
    return wrap('{', fields, '}');
  }
  if (typeof value === 'string') return quoted(value);
  if (isPython && value === null) return 'None';
  if (isPython && typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};

/** The expression that gives the client the calls of a document, by the document's name. */
const FAMILIES: Readonly<Record<string, string>> = {
  record: 'record()',
  account: 'account()',
  enterprise: 'enterprise({ key: process.env.KEY })',
};

const typescript = (call: ApiCall, sent: SampleRequest): string => {
  const { api, operation } = call;
  const family = FAMILIES[api.name];
  const options = [
    `baseUrl: '${new URL(String(api.document.servers[0]?.url)).origin}/api/v1'`,
    ...(isSecret(call) && api.name !== 'enterprise' ? [`token: process.env.TOKEN ?? ''`] : []),
    ...(family ? [`with: [${family}]`] : []),
  ];
  const args = [
    ...sent.path.map((value) => formatLiteral(value, false)),
    ...(sent.body === undefined ? [] : [formatLiteral(sent.body, false)]),
    ...(Object.keys(sent.query).length > 0 ? [formatLiteral(sent.query, false)] : []),
  ];
  const name = family ? `${api.name}.${operation.operationId}` : operation.operationId;
  return `import { createClient } from '@broker-transparency/client';
${family ? `import { ${api.name} } from '@broker-transparency/client/${api.name}';\n` : ''}
const client = createClient({ ${options.join(', ')} });
console.log(await client.${name}(${args.join(', ')}));
`;
};

const python = (call: ApiCall, sent: SampleRequest): string => {
  const isJson = sent.body !== undefined;
  const headers = [
    ...(isSecret(call) ? [`        "Authorization": "Bearer " + os.environ["${getSecretName(call)}"],\n`] : []),
    ...(isJson ? [`        "Content-Type": "application/json",\n`] : []),
  ];
  const imports = [...(isJson ? ['json'] : []), ...(isSecret(call) ? ['os'] : []), 'urllib.request'];
  return `${imports.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(
    "${buildUrl(call, sent)}",
${call.method === 'GET' ? '' : `    method="${call.method}",\n`}${
  headers.length === 0 ? '' : `    headers={\n${headers.join('')}    },\n`
}${isJson ? `    data=json.dumps(${formatLiteral(sent.body, true, '    ')}).encode(),\n` : ''})
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode())
`;
};

const WRITERS = { curl, typescript, python } satisfies Record<
  SampleLanguage,
  (call: ApiCall, sent: SampleRequest) => string
>;

/** Returns a program that sends a call. A credential comes from the environment. */
export const writeSample = (call: ApiCall, language: SampleLanguage): string =>
  WRITERS[language](call, buildSampleRequest(call));
