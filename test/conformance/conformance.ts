import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GO_GENERATOR, makeGoClient, makePythonClient, PYTHON_GENERATOR } from './generated-clients.ts';
import { judgeClient, type ScenarioVerdict, TYPESCRIPT_COMMAND } from './suite.ts';

/* `npx -y pnpm conformance [--write]`: judges our client and two generated ones, and writes it to the documentation. */

const PAGE = new URL('../../docs/conformance.md', import.meta.url);
const [BEGIN, END] = ['<!-- verdicts -->', '<!-- end of verdicts -->'];

/** A client and its verdicts. */
interface JudgedClient {
  readonly title: string;
  readonly verdicts: readonly ScenarioVerdict[];
}

const count = (verdicts: readonly ScenarioVerdict[], wanted: string): number =>
  verdicts.filter(({ verdict }) => verdict === wanted).length;

const describeClient = ({ title, verdicts }: JudgedClient): string => {
  const bad = verdicts.filter(({ reasons }) => reasons.length > 0);
  const rows = bad.map(
    ({ scenario, verdict, reasons }) =>
      `| \`${scenario}\` | ${verdict} | ${reasons.map((reason) => reason.replaceAll('|', '\\|')).join('. ')} |`,
  );
  const sum = `**${title}**: ${['passes', 'warns', 'fails'].map((name) => `${count(verdicts, name)} ${name}`).join(', ')}.`;
  return [sum, ...(rows.length === 0 ? [] : ['', '| scenario | verdict | why |', '|---|---|---|', ...rows])].join('\n');
};

const readVersion = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../client/package.json', import.meta.url), 'utf8')).version;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
try {
  const clients = [
    {
      title: `@broker-transparency/client ${await readVersion()}, Node ${process.versions.node}`,
      make: async () => TYPESCRIPT_COMMAND,
    },
    {
      title: `${PYTHON_GENERATOR.name} ${PYTHON_GENERATOR.version}`,
      make: () => makePythonClient(join(folder, 'python-client')),
    },
    { title: `${GO_GENERATOR.name} ${GO_GENERATOR.version}`, make: () => makeGoClient(join(folder, 'go-client')) },
  ];
  const judged: JudgedClient[] = [];
  for (const { title, make } of clients) {
    const client = { title, verdicts: await judgeClient(await make()) };
    console.log(`${describeClient(client)}\n`);
    judged.push(client);
  }
  if (values.write) {
    const page = await readFile(PAGE, 'utf8');
    const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
    const text = judged.map(describeClient).join('\n\n');
    await writeFile(PAGE, `${page.slice(0, before)}${BEGIN}\n${text}\n${page.slice(after)}`);
  }
  // A generated client is as its generator makes it. Ours keeps every must.
  process.exitCode = judged[0] && count(judged[0].verdicts, 'fails') === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
