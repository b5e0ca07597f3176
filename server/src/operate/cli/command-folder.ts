import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Terminal, withTerminal } from '../../platform/terminal.ts';
import { run } from './program.ts';

/** Outcome of a command of a test. */
interface CommandOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Removes the quotes of a word, as a shell does: `--reason='late answer'`. */
const removeQuotes = (word: string): string => {
  const quote = word.at(-1);
  return quote === "'" || quote === '"' ? word.replaceAll(quote, '') : word;
};

/** A report that a mail came back. */
const BOUNCE = `MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example

Final-Recipient: rfc822; alice@mail.example
Action: failed
Status: 5.1.1

--b1
Content-Type: text/rfc822-headers

Message-ID: <n_5f@ratings.example>

--b1--
`;

/** Command lines other than the example in the help of a command, which needs a shell or writes to this folder. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'account export': ['alice'],
  'broker export': [],
  'regulator export': [],
  ...Object.fromEntries(
    ['brokers', 'complaints', 'news', 'regulators', 'reviews'].map((kind) => [`import ${kind}`, [`${kind}.ndjson`]]),
  ),
};

/** A folder in which tests run commands. */
export interface CommandFolder {
  readonly path: string;
  /** Settings of what commands look for before they open the database. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Runs a command line in this process, with these settings alone.
   * @param ask answers questions, as a person at a terminal
   */
  readonly call: (argv: readonly string[], env: NodeJS.ProcessEnv, ask?: Terminal['ask']) => Promise<CommandOutput>;
  /** Returns the command line of the example in the help of a command, with files that exist. */
  readonly readExample: (command: string) => Promise<string[]>;
  readonly remove: () => Promise<void>;
}

/** Makes a folder in which tests run commands. */
export const createCommandFolder = async (): Promise<CommandFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'commands-'));
  const feed = { url: 'https://news.example/feed', source: 'Gazette', language: 'en', category: 'market' };
  await writeFile(join(path, 'feeds.json'), JSON.stringify([feed]));
  await writeFile(join(path, 'bounce.eml'), BOUNCE);

  const call: CommandFolder['call'] = async (argv, env, ask) => {
    let [stdout, stderr] = ['', ''];
    const terminal = {
      write: (text: string): void => {
        stdout += text;
      },
      writeError: (text: string): void => {
        stderr += text;
      },
      columns: undefined,
      ask,
    };
    const settings = { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(path, 'config'), ...env };
    const code = await withTerminal(terminal, () => run(['node', 'broker-rating', ...argv], settings));
    return { code, stdout, stderr };
  };

  const makeFile = async (command: string, word: string): Promise<string> => {
    const extension = /\.(csv|ndjson|json|xlsx|key|token|txt|zip)$/.exec(word)?.[1];
    if (extension === undefined || command === 'admin audit follow') return word;
    const file = join(path, `${command.replaceAll(' ', '-')}.${extension}`);
    await writeFile(file, '{"a":1}\n', { mode: 0o600 });
    return file;
  };

  const readExample = async (command: string): Promise<string[]> => {
    if (command === 'admin mail bounces') return ['admin', 'mail', 'bounces', join(path, 'bounce.eml')];
    const { stdout } = await call([...command.split(' '), '--help'], {});
    const help = stdout.replaceAll(/ \\\n +/g, ' ');
    const line = new RegExp(`^ {2}(?!  ).*broker-rating (${command}(?: .*)?)$`, 'm').exec(help)?.[1] ?? '';
    const others = OTHERS[command];
    const words = others ? [...command.split(' '), ...others] : (line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []);
    return Promise.all(words.map((quoted) => makeFile(command, removeQuotes(quoted))));
  };

  const settings = {
    NEWS_FEEDS: join(path, 'feeds.json'),
    LOG_KEY: join(path, 'log.key'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'mail@ratings.example',
    PUBLIC_URL: 'https://ratings.example',
    DATA_DIR: join(path, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
  };
  return { path, settings, call, readExample, remove: () => rm(path, { recursive: true, force: true }) };
};
