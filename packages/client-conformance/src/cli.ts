#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { VERDICTS } from './judge.ts';
import { SCENARIOS, type Scenario } from './scenarios/index.ts';
import { type Result, tryScenario } from './suite.ts';

const USAGE = `Tells whether a client of the broker transparency API bears a hostile network.

  client-conformance [options] -- COMMAND [ARGUMENT…]

The command runs once for each scenario. It finds BASE_URL, TOKEN and TASK in its environment, and prints one line:
{"value": …} or {"error": {"kind": "api" | "network" | "timeout" | "unexpected", "status"?: 404, "code"?: "…"}}

  --only NAME,NAME   only these scenarios
  --list             the scenarios, without a run
  --json             JSON instead of a table
  --help             this text

Exit code: 0, no must is broken; 1, one is; 2, wrong usage.
`;

/** The command line is wrong. */
class ArgumentError extends Error {}

const readArguments = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        list: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : String(error));
  }
};

const chooseScenarios = (only: string | undefined): readonly Scenario[] => {
  if (only === undefined) return SCENARIOS;
  return only.split(',').map((name) => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (!scenario) throw new ArgumentError(`there is no scenario ${name}: --list names them`);
    return scenario;
  });
};

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const list = (scenarios: readonly Scenario[], asJson: boolean): void => {
  const rows = scenarios.map(({ name, server, why, checks }) => ({
    name,
    server,
    why,
    checks: checks.map(({ level, says }) => `${level}: ${says}`),
  }));
  if (asJson) print(JSON.stringify(rows));
  else for (const { name, server } of rows) print(`${name.padEnd(24)} ${server}`);
};

const summarize = (results: readonly Result[]): string =>
  VERDICTS.map((verdict) => `${results.filter((result) => result.verdict === verdict).length} ${verdict}`).join(', ');

const runAll = async (
  scenarios: readonly Scenario[],
  command: readonly string[],
  asJson: boolean,
): Promise<boolean> => {
  const results: Result[] = [];
  for (const scenario of scenarios) {
    const result = await tryScenario(scenario, command);
    results.push(result);
    if (asJson) continue;
    print(`${result.verdict.padEnd(7)} ${result.scenario}`);
    for (const reason of result.reasons) print(`          ${reason}`);
  }
  print(asJson ? JSON.stringify(results) : summarize(results));
  return results.every(({ verdict }) => verdict !== 'fails');
};

/** Returns the exit code. */
const main = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    print(USAGE.trimEnd());
    return 0;
  }
  const scenarios = chooseScenarios(values.only);
  if (values.list) {
    list(scenarios, values.json);
    return 0;
  }
  if (positionals.length === 0) throw new ArgumentError('name the command of your client after --');
  return (await runAll(scenarios, positionals, values.json)) ? 0 : 1;
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (error instanceof ArgumentError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = 2;
}
