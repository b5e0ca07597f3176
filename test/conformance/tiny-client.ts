/**
 * A tiny client for the tests of the conformance suite. Without an argument it is good; `follows-with-token`,
 * `new-key`,
 * `hangs`, `storms` and `prints-token` each name its one flaw.
 */
const [, , flaw] = process.argv;
const { BASE_URL = '', TOKEN = '', TASK = '{}' } = process.env;
const task = JSON.parse(TASK);

const TRIES = 3;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class ReportedFailure extends Error {
  readonly report: object;
  constructor(report: object) {
    super('the call failed');
    this.report = report;
  }
}

const readAnswer = async (response: Response): Promise<{ name?: string; id?: string }> => {
  if (!/json/.test(response.headers.get('content-type') ?? ''))
    throw new ReportedFailure({ kind: 'unexpected', status: response.status });
  const body = JSON.parse(await response.text());
  if (!response.ok) throw new ReportedFailure({ kind: 'api', status: response.status, code: body.code });
  return body;
};

const ask = async (url: string, init: RequestInit): Promise<Response> => {
  const headers = { ...init.headers, Authorization: `Bearer ${TOKEN}` };
  const response = await fetch(url, { ...init, headers, redirect: 'manual' });
  const location = response.headers.get('location');
  if (flaw !== 'follows-with-token' || location === null) return response;
  return ask(new URL(location, url).href, init);
};

const call = async (path: string, body?: string): Promise<{ name?: string; id?: string }> => {
  let key = crypto.randomUUID();
  const signal = AbortSignal.timeout(task.timeoutMs);
  for (let attempt = 1; ; attempt++) {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    try {
      const response = await ask(BASE_URL + path, flaw === 'hangs' ? init : { ...init, signal });
      const wait = Number(response.headers.get('retry-after'));
      if (response.status !== 429 || attempt === TRIES) return await readAnswer(response);
      await sleep(flaw === 'storms' ? 0 : 1_000 * wait);
    } catch (error) {
      if (error instanceof ReportedFailure) throw error;
      if (signal.aborted && flaw !== 'hangs') throw new ReportedFailure({ kind: 'timeout' });
      if (attempt === TRIES) throw new ReportedFailure({ kind: 'network' });
      if (flaw === 'new-key') key = crypto.randomUUID();
    }
  }
};

const run = async (): Promise<object> => {
  try {
    const answer =
      task.call === 'reviews.create'
        ? await call('/reviews', JSON.stringify(task.review))
        : await call(`/brokers/${task.slug}`);
    return { value: answer.name ?? answer.id };
  } catch (error) {
    return { error: error instanceof ReportedFailure ? error.report : { kind: 'unexpected' } };
  }
};

if (flaw === 'prints-token') console.error(`the token is ${TOKEN}`);
console.log(JSON.stringify(await run()));
