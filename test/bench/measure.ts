/** Runs a scenario: its servers in turn, round after round, so that a disturbance of the machine affects them all. */
import type { Job, LoadOutcome, Request } from './load.ts';
import { type Probe, probe } from './probe.ts';
import { ask, readCpuTicks, TICKS_PER_SECOND } from './processes.ts';
import type { Scenario } from './scenarios.ts';
import type { Server, ServerName, ServerStage } from './servers.ts';
import { computeSpread, type Spread } from './spread.ts';
import { addWriters, removeWriters, removeWritten } from './writers.ts';

/** Number and length of the rounds. */
export interface Plan {
  readonly rounds: number;
  readonly until: Job['until'];
  /** Length of the warm-up before the first round, since a freshly started server runs slower code. */
  readonly warmUp: Job['until'];
  /** Requests per round of a scenario that writes. Each person writes once. */
  readonly writes: number;
}

/** A server in a scenario, compared with the scenario's first server round by round. */
export interface ComparisonRow {
  readonly scenario: string;
  readonly server: ServerName;
  /** Answers per second, as a ratio to the first server's. */
  readonly throughput: Spread;
  /** The first server's processor time per answer, divided by this server's; 1 means equal cost. */
  readonly cpu: Spread;
  /** Latencies as multiples of the first server's p99. */
  readonly p50: Spread;
  readonly p99: Spread;
  /** Latencies in milliseconds, as medians of the rounds. */
  readonly milliseconds: { readonly p50: number; readonly p99: number };
  /** Share of a core used at saturation. Much less than 1 means that something else was the bottleneck. */
  readonly busy: Spread;
  readonly answered: number;
}

interface Entrant {
  readonly server: Server;
  readonly requests: readonly Request[];
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: Job['expected'];
}

interface Round {
  readonly outcome: LoadOutcome;
  readonly ticksEach: number;
}

const CONNECTIONS = 32;

/** The answer of median size among a sample of the requests. */
const findMedianAnswer = async ({ port }: Server, requests: readonly Request[], headers: Entrant['headers']) => {
  const step = Math.ceil(requests.length / 25);
  const answers: Probe[] = [];
  for (let at = 0; at < requests.length; at += step)
    answers.push(await probe(port, { path: (requests[at] as Request).path, headers }));
  answers.sort((a, b) => a.body.length - b.body.length);
  return answers[Math.floor(answers.length / 2)] as Probe;
};

const prepareExpected = async (
  scenario: Scenario,
  { port }: Server,
  request: Request,
  alone: boolean,
  headers: object,
) => {
  const { status = 200, conditional = false, writes = false } = scenario;
  if (writes) return { expected: { status }, headers: {} };
  const first = await probe(port, { path: request.path, headers: { ...headers } });
  if (first.status !== 200) throw new Error(`${scenario.name}: ${request.path} is answered with ${first.status}`);
  const tag = String(first.headers['etag'] ?? '"ready"');
  if (conditional) return { expected: { status }, headers: { 'If-None-Match': tag } };
  return { expected: { status, ...(alone ? { size: first.body.length } : {}) }, headers: {} };
};

/** Prepares a server for a scenario. A server with a ready answer gets the one of `model`, which is the service. */
const prepareEntrant = async (scenario: Scenario, server: Server, model: Server): Promise<Entrant> => {
  const requests = scenario.requests(server.data);
  const headers = { ...scenario.headers, ...server.headers };
  if (server.ready) {
    const answer = await findMedianAnswer(model, requests, headers);
    await server.give({ contentType: String(answer.headers['content-type']), body: answer.body });
  }
  const alone = requests.length === 1 || server.ready;
  const found = await prepareExpected(scenario, server, requests[0] as Request, alone, headers);
  return { server, requests, headers: { ...headers, ...found.headers }, expected: found.expected };
};

const runOnce = async (
  stage: ServerStage,
  scenario: Scenario,
  entrant: Entrant,
  over: Partial<Job>,
): Promise<Round> => {
  const { server, requests, headers, expected } = entrant;
  const job = {
    port: server.port,
    requests,
    headers,
    expected,
    from: 0,
    connections: scenario.connections ?? CONNECTIONS,
    ...over,
  };
  if (scenario.writes) await removeWritten(server.data.db);
  const loader = await stage.loader();
  const before = await readCpuTicks(server.pids);
  const outcome = await ask<LoadOutcome | { error: string }>(loader, job);
  const ticks = (await readCpuTicks(server.pids)) - before;
  if ('error' in outcome) throw new Error(`${scenario.name}, ${server.name}: ${outcome.error}`);
  if (outcome.wrong > 0)
    throw new Error(
      `${scenario.name}, ${server.name}: ${outcome.wrong} of ${outcome.answered} answers were not ` +
        `${JSON.stringify(expected)}, such as ${JSON.stringify(outcome.example)}`,
    );
  return { outcome, ticksEach: ticks / outcome.answered };
};

/** Runs every entrant once per round. Each round continues in the requests where the previous one ended. */
const runRounds = async (
  stage: ServerStage,
  scenario: Scenario,
  entrants: readonly Entrant[],
  rounds: number,
  createJob: (at: number) => Partial<Job>,
): Promise<Round[][]> => {
  const results: Round[][] = entrants.map(() => []);
  const sent = entrants.map(() => 0);
  for (let round = 0; round < rounds; round++)
    for (const [at, entrant] of entrants.entries()) {
      const from = scenario.writes ? 0 : (sent[at] as number);
      const result = await runOnce(stage, scenario, entrant, { from, ...createJob(at) });
      sent[at] = from + result.outcome.answered;
      results[at]?.push(result);
    }
  return results;
};

const buildRows = (
  scenario: Scenario,
  entrants: readonly Entrant[],
  full: Round[][],
  latency: Round[][],
): ComparisonRow[] =>
  entrants.map(({ server }, at) => {
    const compare = (rounds: Round[][], ratio: (own: Round, other: Round) => number): Spread =>
      computeSpread((rounds[at] as Round[]).map((own, round) => ratio(own, rounds[0]?.[round] as Round)));
    const busy = ({ outcome, ticksEach }: Round) => (ticksEach * outcome.answered) / outcome.seconds / TICKS_PER_SECOND;
    const rate = ({ outcome }: Round) => outcome.answered / outcome.seconds;
    return {
      scenario: scenario.name,
      server: server.name,
      throughput: compare(full, (own, other) => rate(own) / rate(other)),
      cpu: compare(full, (own, other) => other.ticksEach / own.ticksEach),
      p50: compare(latency, (own, other) => own.outcome.p50 / other.outcome.p99),
      p99: compare(latency, (own, other) => own.outcome.p99 / other.outcome.p99),
      milliseconds: {
        p50: 1000 * computeSpread((latency[at] as Round[]).map(({ outcome }) => outcome.p50)).median,
        p99: 1000 * computeSpread((latency[at] as Round[]).map(({ outcome }) => outcome.p99)).median,
      },
      busy: computeSpread((full[at] as Round[]).map(busy)),
      answered: (full[at] as Round[]).reduce((sum, { outcome }) => sum + outcome.answered, 0),
    };
  });

const measureRounds = async (
  stage: ServerStage,
  scenario: Scenario,
  entrants: Entrant[],
  plan: Plan,
): Promise<ComparisonRow[]> => {
  const until = scenario.writes ? { count: plan.writes } : plan.until;
  await runRounds(stage, scenario, entrants, 1, () => ({ until: scenario.writes ? until : plan.warmUp }));
  const full = await runRounds(stage, scenario, entrants, plan.rounds, () => ({ until }));
  if (!scenario.paced) return buildRows(scenario, entrants, full, full);
  const rates = full.map(
    (rounds) => computeSpread(rounds.map(({ outcome }) => outcome.answered / outcome.seconds)).median / 2,
  );
  const paced = await runRounds(stage, scenario, entrants, plan.rounds, (at) => ({ until, rate: rates[at] as number }));
  return buildRows(scenario, entrants, full, paced);
};

export const measure = async (stage: ServerStage, scenario: Scenario, plan: Plan): Promise<ComparisonRow[]> => {
  const servers: Server[] = [];
  for (const name of scenario.servers) servers.push(await stage.server(name));
  const model = servers.find(({ name }) => name.startsWith('service')) ?? (servers[0] as Server);
  const signedIn = scenario.writes || scenario.signedIn;
  if (signedIn) await addWriters(model.data.db);
  try {
    const entrants: Entrant[] = [];
    for (const server of servers) entrants.push(await prepareEntrant(scenario, server, model));
    return await measureRounds(stage, scenario, entrants, plan);
  } finally {
    if (signedIn) await removeWriters(model.data.db);
  }
};
