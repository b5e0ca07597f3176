/** Programs of fresh consumers. Each makes its calls to the service at `baseUrl` and returns "works". */
const CALLS = `
import { BrokerNotFoundError, createClient } from '@broker-transparency/client';

const run = async (baseUrl: string): Promise<string> => {
  const client = createClient({ baseUrl });
  const found = await client.search({ q: 'alpha' });
  const listed = await client.brokers.list({ color: 'green', limit: 2 });
  const broker = await client.brokers.get('alpha-markets');
  const renamed = await client.brokers.get('alpha');
  const score: number | null | undefined = listed.data[0]?.score.value;
  const names: string[] = [...found.data.map(({ name }) => name), broker.name, renamed.name];
  const regulators = await client.regulators.list();
  const regulator = await client.regulators.get('fca');
  const reviews = await client.reviews.list({ broker: 'alpha-markets' });
  const review = await client.reviews.create({
    broker: 'alpha-markets', rating: 4.5, language: 'en', title: 'A title', content: 'Twenty characters and more.',
  });
  const complaint = await client.complaints.create({
    broker: 'alpha-markets', category: 'withdrawal', title: 'A title', content: 'Twenty characters and more.', consentToForward: true,
  });
  const news = await client.news.list({ limit: 1 });
  // @ts-expect-error: a limit is a number
  const wrong = () => client.brokers.list({ limit: 'two' });
  let code: string | undefined;
  try {
    await client.brokers.get('nobody');
  } catch (error) {
    if (error instanceof BrokerNotFoundError) code = error.code;
  }
  const answers: unknown[] = [score, names, regulators, regulator, reviews, review, complaint, news, wrong];
  return code === 'broker_not_found' && answers.every((answer) => answer !== undefined) ? 'works' : 'does not work';
};
`;

/** A test of a consumer's own app, without any network. */
const TESTS = `
import { createClient } from '@broker-transparency/client';
import { createTestServer, type BrokerFixture } from '@broker-transparency/client/testing';

const broker: BrokerFixture = { slug: 'late-payer', color: 'yellow', reviews: 4 };

const run = async (_baseUrl: string): Promise<string> => {
  const server = createTestServer({ seed: 'consumer', fixtures: { brokers: [broker] } });
  const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch, token: server.token() });
  server.fail('dropped_after_write', { call: 'reviews.create' });
  // @ts-expect-error: no such fault
  const wrong = () => server.fail('explodes');
  // @ts-expect-error: no such call
  const wrongCall = () => server.fail('slow', { call: 'brokers.gett' });
  const { id } = await client.reviews.create({
    broker: 'late-payer', rating: 4.5, language: 'en', title: 'A title', content: 'Twenty characters and more.',
  });
  const stored: readonly string[] = server.reviews.map((review) => review.id);
  const { color } = await client.brokers.get('late-payer');
  const works = color === 'yellow' && stored.includes(id) && stored.length === 5 && server.requests.length === 3;
  return works && wrong !== wrongCall ? 'works' : 'does not work';
};
`;

/** A script for Node, Deno and Bun. */
export const scriptProgram = (baseUrl: string): string =>
  `${CALLS}
run('${baseUrl}').then((word) => console.log(word));
`;

/** A script with a test server that listens on a port. */
export const testingProgram = (): string =>
  `${TESTS}
const overPort = async (): Promise<number> => {
  const server = createTestServer();
  const origin = await server.listen();
  const { status } = await fetch(\`\${origin}/api/v1/news\`);
  await server.close();
  return status;
};
Promise.all([run(''), overPort()]).then(([word, status]) => console.log(status === 200 ? word : status));
`;

/** The module of a Worker. Without an address it runs the test. */
export const workerProgram = (baseUrl = ''): string =>
  `${baseUrl === '' ? TESTS : CALLS}
export default { fetch: async (): Promise<Response> => new Response(await run('${baseUrl}')) };
`;

/** A script for a page. It sets the page's title to the word. */
export const pageProgram = (baseUrl = ''): string =>
  `${baseUrl === '' ? TESTS : CALLS}
run('${baseUrl}').catch(String).then((word) => { document.title = word; });
`;

/** A program that imports every entry of the packages. */
export const entriesProgram = (entries: readonly string[]): string => {
  const names = entries.map((_, at) => `entry${at}`);
  return [
    ...entries.map((entry, at) => `import * as ${names[at]} from '${entry}';`),
    `const empty = [${names.join(', ')}].filter((entry) => Object.keys(entry).length === 0);`,
    "console.log(empty.length === 0 ? 'works' : 'does not work');",
  ].join('\n');
};
