import { readFile } from 'node:fs/promises';
import { METHODOLOGY_VERSION } from '@broker-transparency/contract';

/** Pages for users of the client, relative to the root of the project. */
const PAGES = [
  'client/README.md',
  'docs/recipes/README.md',
  'docs/api.md',
  'docs/record.md',
  `docs/methodology/${METHODOLOGY_VERSION}.md`,
];

/**
 * Replaces links to files of the project by their text, because they lead nowhere in a single file. Leaves code
 * unchanged.
 */
export const withoutLinks = (page: string): string =>
  page
    .split(/(^```.*?^```$)/ms)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')))
    .join('');

const INDEX = `# @broker-transparency/client

> Typed client for the broker transparency API: scores of foreign-exchange brokers that anyone can recompute, licences, regulators, reviews,
> complaint counts and news. TypeScript, no dependencies, for Node 18 and later, Deno, Bun, Workers and browsers.

\`createClient({ baseUrl })\` gives a call for each of the nine endpoints; \`client.safe\` has the same calls and does not throw.
\`with: [record(), account(), enterprise({ key })]\` adds what was published at any time, a person's own submissions, and every call for customers.
The service itself answers \`/llms.txt\`, \`/openapi.json\` and
\`/.well-known/api-catalog\`, which leads to all its documents.

## Documentation

- [Everything in one file](./llms-full.txt): the client, recipes, the API and the arithmetic of scores
- [The client](./README.md): calls, errors, lists, retries, tests, command line, options
- [Types](./dist/index.d.ts): every call, answer and error, with limits and examples
`;

/** Returns the package's files for language models, by file name. */
export const llmsFiles = async () => {
  const pages = PAGES.map((path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8'));
  return { 'llms.txt': INDEX, 'llms-full.txt': (await Promise.all(pages)).map(withoutLinks).join('\n---\n\n') };
};
