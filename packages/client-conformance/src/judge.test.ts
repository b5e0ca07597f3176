import { describe, expect, test } from 'vitest';
import * as checks from './checks.ts';
import { type Check, must, should, TOKEN } from './checks.ts';
import { judge } from './judge.ts';
import type { ClientRun, ScenarioOutcome, SeenRequest } from './run.ts';
import { SCENARIOS } from './scenarios/index.ts';

const request = (changes: Partial<SeenRequest> = {}): SeenRequest => ({
  host: 'api',
  atMs: 100,
  method: 'GET',
  target: '/api/v1/brokers/alpha-markets',
  headers: { authorization: [`Bearer ${TOKEN}`] },
  body: '',
  connection: 1,
  ...changes,
});

const post = (key?: string): SeenRequest =>
  request({
    method: 'POST',
    target: '/api/v1/reviews',
    headers: key === undefined ? {} : { 'idempotency-key': [key] },
  });

const run = (changes: Partial<ClientRun> = {}): ClientRun => ({
  requests: [request()],
  outcome: { value: 'a' },
  endedMs: 200,
  sentBytes: 1_000,
  printedToken: false,
  ...changes,
});

const at = (...times: readonly number[]): readonly SeenRequest[] => times.map((atMs) => request({ atMs }));
const failure: ScenarioOutcome = { error: { kind: 'api', status: 404, code: 'broker_not_found' } };
const silent: ScenarioOutcome = { nothing: 'silent', detail: 'ended with code 1 and printed no outcome: nothing' };

describe('a check', () => {
  test.each<[string, ReturnType<typeof checks.answers>, Partial<ClientRun>, string | undefined]>([
    ['the right value is an answer', checks.answers('a'), {}, undefined],
    ['another value is none', checks.answers('b'), {}, 'reported the value "a"'],
    ['a list is compared item by item', checks.answers(['a', 'b']), { outcome: { value: ['a', 'b'] } }, undefined],
    [
      'a shorter list is not the list',
      checks.answers(['a', 'b']),
      { outcome: { value: ['a'] } },
      'reported the value ["a"]',
    ],
    [
      'an error is no answer',
      checks.answers('a'),
      { outcome: { error: { kind: 'network' } } },
      'reported {"kind":"network"}',
    ],
    ['any error is a failure', checks.fails(), { outcome: failure }, undefined],
    ['an error of the kind is a failure', checks.fails('network', 'api'), { outcome: failure }, undefined],
    [
      'another kind is not',
      checks.fails('network'),
      { outcome: { error: { kind: 'timeout' } } },
      'reported {"kind":"timeout"}',
    ],
    ['a value is no failure', checks.fails(), {}, 'reported the value "a"'],
    ['silence is no failure', checks.fails(), { outcome: silent }, silent.detail],
    ['an error may stand for a value', checks.answersOrFails('b'), { outcome: failure }, undefined],
    ['a wrong value may not', checks.answersOrFails('b'), {}, 'reported the value "a"'],
    ['the status is told', checks.tellsStatus(404), { outcome: failure }, undefined],
    ['no status is told', checks.tellsStatus(404), { outcome: { error: { kind: 'api' } } }, 'reported {"kind":"api"}'],
    ['the code is told', checks.tellsCode('broker_not_found'), { outcome: failure }, undefined],
    [
      'another code is told',
      checks.tellsCode('x'),
      { outcome: { error: { kind: 'api', code: 'y' } } },
      'reported {"kind":"api","code":"y"}',
    ],
    ['requests up to the most are few', checks.asksAtMost(2), { requests: at(1, 2) }, undefined],
    ['more are many', checks.asksAtMost(1), { requests: at(1, 2) }, 'asked 2 times'],
    ['a client that asks once waits', checks.waits(1_000), {}, undefined],
    ['a wait of the time is a wait', checks.waits(1_000), { requests: at(0, 1_000) }, undefined],
    ['a shorter one is not', checks.waits(1_000), { requests: at(0, 900) }, 'asked again after 900 ms'],
    [
      'the wait after the second request counts',
      checks.waits(1_000, 2),
      { requests: at(0, 1, 500) },
      'asked again after 499 ms',
    ],
    ['the time begins with the first request', checks.endsWithin(100), {}, undefined],
    ['a client that takes longer is late', checks.endsWithin(99), {}, 'ended 100 ms after its first request'],
    ['a small answer is read', checks.readsAtMost(2 ** 20), {}, undefined],
    ['a large one should not be', checks.readsAtMost(2 ** 20), { sentBytes: 3 * 2 ** 20 }, 'read 3 MiB'],
    ['one POST needs no key', checks.keepsKey, { requests: [post()] }, undefined],
    ['two POSTs may share their key', checks.keepsKey, { requests: [post('k'), post('k')] }, undefined],
    [
      'two POSTs without a key are two writes',
      checks.keepsKey,
      { requests: [post(), post()] },
      'sent the POST 2 times, without a key',
    ],
    [
      'two keys are two writes',
      checks.keepsKey,
      { requests: [post('k'), post('l')] },
      'sent the POST 2 times, with 2 keys',
    ],
    [
      'a key lost on the way is a write more',
      checks.keepsKey,
      { requests: [post('k'), post()] },
      'sent the POST 2 times, without a key',
    ],
    ['a key is sent', checks.sendsKey, { requests: [post('k')] }, undefined],
    ['no key is sent', checks.sendsKey, { requests: [post()] }, 'sent none'],
    ['the header is sent', checks.sends(1, 'Authorization', TOKEN), {}, undefined],
    ['another value is sent', checks.sends(1, 'Authorization', 'x'), {}, 'sent another `Authorization`'],
    ['no such header is sent', checks.sends(1, 'If-None-Match', '"1"'), {}, 'sent none'],
    ['there is no such request', checks.sends(2, 'If-None-Match', '"1"'), {}, 'sent 1 requests'],
    ['a path below the base address is home', checks.staysHome, {}, undefined],
    [
      'another path is not',
      checks.staysHome,
      { requests: [request({ target: '/elsewhere' })] },
      'asked the same host for /elsewhere',
    ],
    [
      'another host is not',
      checks.staysHome,
      { requests: [request({ host: 'other', target: '/x' })] },
      'asked the other host for /x',
    ],
  ])('finds its breach: %s', (_, [, findBreach], changes, breach) => {
    expect(findBreach(run(changes))).toBe(breach);
  });
});

describe('a verdict', () => {
  const good: Check = must(['is', () => undefined]);
  const weak: Check = should(['is handy', () => 'was not']);
  const bad: Check = must(['is safe', () => 'was not safe']);
  test.each<[string, readonly Check[], Partial<ClientRun>, object]>([
    ['no rule is broken', [good], {}, { verdict: 'passes', reasons: [] }],
    ['only a should is broken', [good, weak], {}, { verdict: 'warns', reasons: ['should: is handy; it was not'] }],
    [
      'a must is broken, which stands first',
      [weak, bad],
      {},
      { verdict: 'fails', reasons: ['must: is safe; it was not safe', 'should: is handy; it was not'] },
    ],
    [
      'the client says nothing, which is one reason',
      [must(checks.answers('a')), should(checks.fails())],
      { outcome: silent },
      { verdict: 'fails', reasons: [`must: ends by itself, with one line of its outcome; it ${silent.detail}`] },
    ],
    [
      'the token goes to the other host',
      [],
      { requests: [request({ host: 'other' })] },
      { verdict: 'fails', reasons: ['must: sends its token to no other host; it sent its token to the other host'] },
    ],
    [
      'a request without the token goes there',
      [],
      { requests: [request({ host: 'other', headers: {} })] },
      { verdict: 'passes', reasons: [] },
    ],
    [
      'the token is printed',
      [],
      { printedToken: true },
      { verdict: 'fails', reasons: ['must: prints no token; it printed its token'] },
    ],
  ])('follows from the rules: %s', (_, rules, changes, verdict) => {
    expect(judge(rules, run(changes))).toEqual(verdict);
  });
});

test('scenarios have names of their own and at least one rule', () => {
  const names = SCENARIOS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(SCENARIOS.filter(({ checks: rules }) => rules.length === 0)).toEqual([]);
});
