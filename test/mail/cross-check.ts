import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { EMBEDDED, runCli, startProcess } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { until } from '../support/until.ts';

/*
 * Sends mails to a server of Python (aiosmtpd) over TLS with a password, and compares what Python's own parser reads.
 * The tests of the gate use smtp-server, which has the same authors as nodemailer.
 */

const run = promisify(execFile);
const done = (what: string): void => console.log(`ok      ${what}`);
const check = (isGood: boolean, what: string): void => {
  if (!isGood) throw new Error(`not so: ${what}`);
  done(what);
};

interface Mail {
  readonly to: readonly string[];
  readonly from: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly defects: readonly string[];
  readonly text: string;
}

const startServer = async ({ path }: Scratch) => {
  const [library, certificate, key] = ['python', 'cert.pem', 'key.pem'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ];
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', library, 'aiosmtpd==1.4.6']);
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  await run('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate]);
  const child = spawn('python3', [join(import.meta.dirname, 'server.py'), certificate, key], {
    env: { ...process.env, PYTHONPATH: library },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const port = await until('the port', 20_000, async () => lines[0]);
  const received = (): Mail[] => lines.slice(1).map((line) => JSON.parse(line) as Mail);
  return { port, certificate, received, stop: () => child.kill() };
};

const scratch = await createScratch();
const server = await startServer(scratch);
const createUrl = (password: string): string => `smtps://user:${encodeURIComponent(password)}@localhost:${server.port}`;
const settings = {
  ...EMBEDDED,
  SMTP_URL: createUrl('p@ss/word'),
  MAIL_FROM: 'Märkte <mail@ratings.example>',
  PUBLIC_URL: 'https://ratings.example',
  NODE_EXTRA_CA_CERTS: server.certificate,
  JOBS: 'on',
};
const service = await startProcess(settings);
try {
  const wrong = await runCli(['admin', 'mail', 'test', '--embedded', 'ops@a.example'], {
    ...settings,
    SMTP_URL: createUrl('wrong'),
  });
  check(wrong.code === 1 && /unreachable, 535/.test(wrong.stderr), 'a wrong password is no mail, and is named');
  const unknown = await runCli(['admin', 'mail', 'test', '--embedded', 'ops@a.example'], {
    ...settings,
    NODE_EXTRA_CA_CERTS: undefined,
  });
  check(unknown.code === 1 && /certificate/.test(unknown.stderr), 'an unknown certificate is refused, and is named');
  check(!`${wrong.stderr}${unknown.stderr}`.includes('p@ss'), 'no password is shown');
  check(server.received().length === 0, 'nothing was sent meanwhile');
  succeeded(await runCli(['admin', 'mail', 'test', '--embedded', 'ops@a.example'], settings));
  await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Alpha Märkte 漢字' })]);
  succeeded(await service.cli('broker', 'contact', 'add', 'alpha', 'legal@a.example', '--language', 'de'));
  const mail = await until('the mail of a code', 20_000, async () => server.received()[1]);
  const code = /den Code (\S+),/.exec(mail.text)?.[1] ?? '';
  check(mail.headers['subject'] === `Kontakt für Alpha Märkte 漢字: Ihr Code ist ${code}`, 'Python reads the subject');
  check(mail.text.includes('Beschwerden und Warnungen zu Alpha Märkte 漢字'), 'Python reads the text');
  check(mail.headers['from'] === 'Märkte <mail@ratings.example>', 'Python reads the sender');
  check(mail.headers['auto-submitted'] === 'auto-generated', 'it says that a machine wrote it');
  check(/^<n_[0-9a-f]{30}@ratings\.example>$/.test(mail.headers['message-id'] ?? ''), 'its id is that of the outbox');
  check(
    server.received().every(({ defects }) => defects.length === 0),
    'Python finds no defect in any mail',
  );
  succeeded(await service.cli('broker', 'contact', 'confirm', 'alpha', code));
  done('the code that Python read confirms the contact');
} finally {
  await service.remove();
  server.stop();
  await scratch.remove();
}
