import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { judgeClient, runSuite, TYPESCRIPT_COMMAND } from './suite.ts';

const TINY = fileURLToPath(new URL('tiny-client.ts', import.meta.url));

const command = (flaw?: string): readonly string[] => [process.execPath, TINY, ...(flaw === undefined ? [] : [flaw])];

const SCENARIOS = ['plain', 'limited-once', 'post-dropped', 'redirect-308-host', 'redirect-user'];

const PASSES = SCENARIOS.map((scenario) => ({ scenario, verdict: 'passes', reasons: [] }));

describe('the conformance suite', () => {
  test('passes a good client', async () => {
    expect(await judgeClient(command(), SCENARIOS)).toEqual(PASSES);
  });

  test('passes the published TypeScript client', async () => {
    expect(await judgeClient(TYPESCRIPT_COMMAND, SCENARIOS)).toEqual(PASSES);
  });

  test.each([
    [
      'follows-with-token',
      'redirect-308-host',
      'must: sends its token to no other host; it sent its token to the other host',
    ],
    [
      'follows-with-token',
      'redirect-without-scheme',
      'must: sends its token to no other host; it sent its token to the other host',
    ],
    [
      'new-key',
      'post-dropped',
      'must: repeats a POST only with the same `Idempotency-Key`; it sent the POST 2 times, with 2 keys',
    ],
    [
      'hangs',
      'hang-before-headers',
      'must: ends by itself, with one line of its outcome; it was still running after 15000 ms',
    ],
    ['prints-token', 'plain', 'must: prints no token; it printed its token'],
  ])('fails a client whose flaw is %s in %s, for the right reason', async (flaw, scenario, reason) => {
    const [result] = await judgeClient(command(flaw), [scenario]);
    expect(result?.verdict).toBe('fails');
    expect(result?.reasons[0]).toBe(reason);
  });

  test('fails a client that asks again too early', async () => {
    const [result] = await judgeClient(command('storms'), ['limited-once']);
    expect(result?.verdict).toBe('fails');
    expect(result?.reasons).toEqual([
      expect.stringMatching(/^must: waits at least 1000 ms before it asks again; it asked again after \d+ ms$/),
    ]);
  });

  test('fails a command that prints no outcome, and quotes what it printed', async () => {
    const { code, stdout } = await runSuite(['--only', 'plain', '--', process.execPath, '-e', 'console.log("done")']);
    expect(code).toBe(1);
    expect(stdout).toContain('fails   plain\n');
    expect(stdout).toContain('it ended with code 0 and printed no outcome: done\n');
    expect(stdout).toContain('0 passes, 0 warns, 1 fails\n');
  });

  test.each([
    [[], 'name the command of your client after --'],
    [['--only', 'none', '--', 'x'], 'there is no scenario none: --list names them'],
    [['--odd'], "Unknown option '--odd'"],
    [['--only', 'plain', '--', '/no/such/command'], 'the command /no/such/command does not start'],
  ])('refuses wrong usage: %j', async (args, reason) => {
    const { code, stderr } = await runSuite(args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  test('lists its scenarios', async () => {
    const { code, stdout } = await runSuite(['--list', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(SCENARIOS));
  });
});
