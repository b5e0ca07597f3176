import {
  ApiError,
  ConnectionError,
  createClient,
  InvalidResponseError,
  TimeoutError,
} from '@broker-transparency/client';

/* Runs the published TypeScript client for the conformance suite. */

const { BASE_URL: baseUrl = '', TOKEN: token, TASK = '{}' } = process.env;
const task = JSON.parse(TASK);
const client = createClient({ baseUrl, token, timeoutMs: task.timeoutMs });

const make = async (): Promise<unknown> => {
  switch (task.call) {
    case 'brokers.get':
      return (await client.brokers.get(task.slug)).name;
    case 'brokers.list':
      return (await client.brokers.list().toArray()).map(({ name }) => name);
    case 'reviews.list':
      return (await client.reviews.list({ broker: task.broker }).toArray()).map(({ id }) => id);
    case 'reviews.create':
      return (await client.reviews.create(task.review)).id;
    default:
      throw new Error(`this adapter cannot make the call ${task.call}`);
  }
};

const report = (error: unknown): object => {
  if (error instanceof ApiError) return { kind: 'api', status: error.status, code: error.code };
  if (error instanceof InvalidResponseError) return { kind: 'unexpected', status: error.status };
  if (error instanceof TimeoutError) return { kind: 'timeout' };
  if (error instanceof ConnectionError) return { kind: 'network' };
  throw error;
};

const run = async (): Promise<object> => {
  try {
    let value: unknown;
    for (let time = 0; time < task.times; time++) value = await make();
    return { value: value ?? null };
  } catch (error) {
    return { error: report(error) };
  }
};

console.log(JSON.stringify(await run()));
