import type { Verdict } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import { summarizeVerdict } from './verdict-line.ts';

type Alarm = Verdict['alarms'][number]['kind'];
type State = NonNullable<Verdict['permission']>['state'];

const party = (legalName: string, isStated: boolean, isPermitted: boolean) => ({
  entity: { legalName, retailClients: true },
  stated: isStated ? { countries: ['DE'], sourceUrl: 'https://alpha.example', asOf: '2026-11-05' } : undefined,
  supervision: [],
  permits: isPermitted ? [{}] : [],
  protections: [],
});

const verdict = (alarms: readonly Alarm[], state: State | null, ending: 'ceased' | 'merged' | null = null) =>
  ({
    residence: 'DE',
    alarms: alarms.map((kind) => ({ kind })),
    ending: ending && { kind: ending, successor: undefined },
    entities: [party('A', true, state === 'permitted'), party('B', true, false), party('C', false, true)],
    permission: state && { state, unconfirmed: [], unread: [], isCompared: true },
  }) as unknown as Verdict;

test.each<[string, Verdict, string, readonly string[]]>([
  ['a suspected clone', verdict(['suspected_clone', 'warned'], null), 'clone', []],
  ['a warned firm with a permission', verdict(['warned_unchecked', 'warned'], 'permitted'), 'warned', []],
  ['a warning that nobody checked', verdict(['warned_unchecked'], 'permitted'), 'unchecked', []],
  ['a warned firm that has ceased', verdict(['warned'], null, 'ceased'), 'warned', []],
  ['a firm that has ceased', verdict([], null, 'ceased'), 'ceased', []],
  ['a merged firm', verdict([], null, 'merged'), 'merged', []],
  ['a firm that others imitate', verdict(['impersonated'], 'permitted'), 'permitted', ['A']],
  ['a permitted firm', verdict([], 'permitted'), 'permitted', ['A']],
  ['a permitted company with which nobody says that clients sign', verdict([], 'other_entity'), 'other_entity', ['C']],
  ['a firm that is not confirmed', verdict([], 'not_confirmed'), 'not_confirmed', []],
  ['a firm without a known licence', verdict([], 'none'), 'none', []],
  ['a firm of a state that is not known', verdict([], null), 'unknown', []],
])('the statement about %s is the most important one', (_, given, kind, firms) => {
  expect(summarizeVerdict(given)).toEqual({ kind, firms });
});
