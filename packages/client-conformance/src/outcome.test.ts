import { expect, test } from 'vitest';
import { readOutcome } from './outcome.ts';
import type { ScenarioOutcome } from './run.ts';

const nothing = (detail: string): ScenarioOutcome => ({ nothing: 'silent', detail });

test.each<[string, string, ScenarioOutcome]>([
  ['a value', '{"value":"a"}\n', { value: 'a' }],
  ['a value of null', '{"value":null}', { value: null }],
  ['the last line counts', 'ready\n{"value":[]}\n\n', { value: [] }],
  ['an error', '{"error":{"kind":"api","status":404,"code":"x"}}', { error: { kind: 'api', status: 404, code: 'x' } }],
  [
    'an error with fields of other types',
    '{"error":{"kind":"network","status":"404"}}',
    { error: { kind: 'network' } },
  ],
  [
    'a kind that there is not',
    '{"error":{"kind":"odd"}}',
    nothing('ended with code 0 and printed no outcome: {"error":{"kind":"odd"}}'),
  ],
  ['no JSON', 'done', nothing('ended with code 0 and printed no outcome: done')],
  ['JSON that is no object', '"value"', nothing('ended with code 0 and printed no outcome: "value"')],
  ['nothing', '', nothing('ended with code 0 and printed no outcome: nothing')],
])('reads an outcome: %s', (_, stdout, outcome) => {
  expect(readOutcome(stdout, 0, '')).toEqual(outcome);
});

test('quotes the last line of the errors of a client that printed nothing', () => {
  expect(readOutcome('', null, 'Traceback\nKeyError: name\n')).toEqual(
    nothing('ended with a signal and printed no outcome: KeyError: name'),
  );
});
