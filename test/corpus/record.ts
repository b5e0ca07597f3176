import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { succeeded } from '../support/filled-service.ts';
import { runCli, type ServiceProcess, startProcess } from '../support/process.ts';
import { ensureData, forgetNothing } from './data.ts';
import { startFixedProvider } from './identity.ts';
import { formatPages, type Page } from './page.ts';
import { METRICS_TOKEN } from './pages/site.ts';
import { WEBHOOK_SECRET } from './pages/writes.ts';
import { visit } from './visit.ts';
import { createAsk, HOST } from './wire.ts';

/**
 * The start of every recording, hours after the day's stories. The clock runs on from there: no read depends on the
 * second, and the results of POSTs are normalised.
 */
const BEGINS = '2027-06-01T18:00:00Z';

export interface Recording {
  /** File to write the corpus to. */
  readonly file: string;
  /** Data folder. The server creates it if there is none, and never changes it. */
  readonly data: string;
  /** Bin of the server. */
  readonly main: string;
}

/** An operator's settings, so that limits are realistic. No port or secret of a run appears in an answer. */
const createSettings = (dataDir: string, port: number) => ({
  DATA_DIR: dataDir,
  CLOCK: BEGINS,
  LOG_LEVEL: 'silent',
  PORT: String(port),
  PUBLIC_URL: `https://${HOST}`,
  METRICS_TOKEN,
  KYC_WEBHOOK_SECRETS: WEBHOOK_SECRET,
  PUBLIC_RATE_LIMIT: undefined,
  COMPLAINTS_PER_DAY: undefined,
});

/** Sends all requests to a server on this folder. */
const recordPages = async (dataDir: string, main: string): Promise<Page[]> => {
  const [pages, port, now]: [Page[], number, Date] = [[], await freePort(), new Date(BEGINS)];
  const { provider, lines } = await startFixedProvider(now);
  const settings = { ...createSettings(dataDir, port), ...provider.settings };
  let service: ServiceProcess | undefined;
  try {
    succeeded(await runCli(['admin', 'migrate', '--embedded'], settings, undefined, main));
    service = await startProcess(settings, [], main);
    await forgetNothing(service);
    await visit(createAsk(`http://127.0.0.1:${port}`, pages), now, lines);
    return pages;
  } finally {
    await service?.end('SIGINT');
    await provider.close();
  }
};

/** Records a corpus on a copy of the data. Returns its pages. */
export const record = async ({ file, data, main }: Recording): Promise<Page[]> => {
  await ensureData(data, main);
  const copy = await mkdtemp(join(tmpdir(), 'broker-rating-corpus-'));
  try {
    await cp(data, copy, { recursive: true });
    const pages = await recordPages(copy, main);
    await writeFile(file, formatPages(pages));
    return pages;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};
