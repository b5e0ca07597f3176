import { randomUUID } from 'node:crypto';
import { SCOPES } from '@broker-transparency/contract';
import { createScratch } from './files.ts';
import { type CliResult, type Service, type ServiceProcess, type Settings, startProcess } from './process.ts';
import { brokerRow, newsRow, reviewBody } from './records.ts';
import { type LocalService, startService } from './service.ts';
import { until } from './until.ts';

/** @throws Error with the whole output where the command line did not exit with 0 */
export const succeeded = ({ code, stdout, stderr }: CliResult): string => {
  if (code !== 0) throw new Error(`ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
};

/**
 * Runs a job by the command line. The schedule of the service may run it at the same moment: that run is waited for.
 * @throws Error with the whole output where the job fails
 */
export const runJob = (service: Service, name: string): Promise<string> =>
  until(`${name} runs`, 10_000, async () => {
    const result = await service.cli('admin', 'job', 'run', name);
    return !result.stderr.startsWith('Another process is running') && succeeded(result);
  });

export const createToken = async (
  service: Service,
  subject: string,
  { kyc = 'verified', scopes = SCOPES.join(',') } = {},
): Promise<string> =>
  succeeded(
    await service.cli('token', 'create', '--subject', subject, '--kyc', kyc, '--scope', scopes, '--quiet'),
  ).trim();

export const post = (service: Service, path: string, token: string, body: unknown, headers = {}): Promise<Response> =>
  fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Sends a body with one idempotency key until it is taken or refused for good, as a client does on a busy machine. */
export const submit = (
  service: Service,
  path: string,
  token: string,
  body: unknown,
  key: string = randomUUID(),
): Promise<Response> =>
  until(`${path} is answered for good`, 10_000, async () => {
    const answer = await post(service, path, token, body, { 'Idempotency-Key': key });
    return !answer.headers.has('Retry-After') && answer;
  });

export const getJson = async (service: Service, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${service.baseUrl}${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
};

/** Imports rows of one kind. */
export const importRows = async (service: Service, kind: string, rows: readonly unknown[]): Promise<void> => {
  const scratch = await createScratch();
  try {
    succeeded(await service.cli('import', kind, await scratch.ndjson(`${kind}.ndjson`, rows)));
  } finally {
    await scratch.remove();
  }
};

/** Ids of the reviews in a state, oldest first. */
export const reviewIds = async (service: Service, status: string): Promise<string[]> => {
  const rows = JSON.parse(
    succeeded(await service.cli('review', 'list', '--status', status, '--limit', '1000', '--json')),
  );
  return rows.map((row: { id: string }) => row.id);
};

/** Tokens of people of a filled service. */
interface Tokens {
  /** Token of a person with a verified identity and a published review of `alpha-markets`. */
  readonly verified: string;
  /** Token of a person without a verified identity. */
  readonly unverified: string;
}

export type FilledService = LocalService & Tokens;
export type FilledProcess = ServiceProcess & Tokens;

/** Adds three brokers, one published review and three news items. */
const fill = async (service: Service): Promise<Tokens> => {
  await importRows(service, 'brokers', [
    brokerRow('alpha-markets', { name: 'Alpha Markets', tradingNames: ['Älpha FX'] }),
    brokerRow('beta-trade', { licenses: [] }),
    brokerRow('gamma-fx', { licensesCheckedAt: null }),
  ]);
  const [verified, unverified] = await Promise.all([
    createToken(service, 'alice'),
    createToken(service, 'bob', { kyc: 'none' }),
    importRows(
      service,
      'news',
      [1, 2, 3].map((number) => newsRow(number, { brokerSlugs: ['alpha-markets'] })),
    ),
  ]);
  const created = await post(service, '/reviews', verified, reviewBody('alpha-markets'));
  if (created.status !== 201) throw new Error(`the review was answered by ${created.status}: ${await created.text()}`);
  const { id } = (await created.json()) as { id: string };
  succeeded(await service.cli('review', 'publish', id));
  return { verified, unverified };
};

/** Fills a service that has started, and waits until all of it is visible through the API. */
const filled = async <T extends Service>(service: T): Promise<T & Tokens> => {
  try {
    const tokens = await fill(service);
    await until('the review shows', 5000, async () => {
      const { data } = (await getJson(service, '/reviews?broker=alpha-markets')) as { data: unknown[] };
      return data.length === 1;
    });
    return { ...service, ...tokens };
  } catch (error) {
    await service.remove();
    throw error;
  }
};

/** A service with three brokers, one published review and three news items, all visible through the API. */
export const startFilledService = async (settings: Settings = {}): Promise<FilledService> =>
  filled(await startService(settings));

/** The same in a process of its own. */
export const startFilledProcess = async (settings: Settings = {}): Promise<FilledProcess> =>
  filled(await startProcess(settings));
