import { expect, test } from 'vitest';
import { computeNoise, judge, type Moments, type Noise, type Part, type Span } from './judge.ts';
import type { Balance } from './ledger.ts';
import type { Exchange } from './load.ts';

/** The fault strikes after 1 s and is repaired 12 s later. */
const moments: Moments = { began: 0, struck: 1000, curable: 13_000, ended: 20_000 };
const even: Balance = { acknowledged: 1, lost: [], doubled: [] };

const exchange = (over: Partial<Exchange>): Exchange => ({
  kind: 'hot',
  target: '/brokers',
  at: 2000,
  ms: 10,
  status: 200,
  age: 0,
  retryAfter: false,
  shed: false,
  ...over,
});
const refused = { status: 503, retryAfter: true };
const listBroken = (part: Part, over: Partial<Exchange>, balance: Balance = even): string[] => [
  ...judge('x', part, [exchange(over)], moments, balance).broken,
];

test.each<[string, Part, Partial<Exchange>, string[]]>([
  ['a hot read that is answered', 'database', {}, []],
  ['a hot read that is refused', 'database', refused, ['not promised: 1 × hot 503: /brokers']],
  ['a cold read that is refused', 'database', { kind: 'cold', ...refused }, []],
  [
    'a cold read that is refused, while Redis is away',
    'redis',
    { kind: 'cold', ...refused },
    ['not promised: 1 × cold 503: /brokers'],
  ],
  ['a write that is refused', 'database', { kind: 'write', ...refused }, []],
  [
    'a refusal that does not say when to come back',
    'database',
    { kind: 'write', status: 503 },
    ['not promised: 1 × write 503: /brokers'],
  ],
  ['a fault of the service', 'database', { kind: 'write', status: 500 }, ['not promised: 1 × write 500: /brokers']],
  ['no answer', 'database', { kind: 'write', status: 0 }, ['not promised: 1 × write without an answer: /brokers']],
  ['no answer of a process that was killed', 'process', { status: 0 }, []],
  ['liveness that fails', 'database', { kind: 'live', ...refused }, ['not promised: 1 × live 503: /brokers']],
  [
    'a refusal that comes too late',
    'database',
    { kind: 'write', ms: 2001, ...refused },
    ['later than 2 s: 1 × write 503: /brokers'],
  ],
  ['readiness that never comes back', 'database', { kind: 'ready', ...refused }, ['ready again after Infinity s only']],
  [
    'readiness that fails too late',
    'database',
    { kind: 'ready', at: 12_000, ...refused },
    ['not ready after 11.01 s only', 'ready again after Infinity s only'],
  ],
  ['readiness without a database', 'database', { kind: 'ready', at: 12_000 }, ['ready without a database']],
  ['an old answer that does not say so', 'database', { at: 12_000 }, ['answers without Age']],
  ['an old answer that says so', 'database', { at: 12_000, age: 11 }, []],
])('judges %s', (_, part, over, broken) => {
  expect(listBroken(part, over)).toEqual(broken);
});

test('excuses slow answers and shed requests on a busy machine, but only if told of the noise', () => {
  const exchanges = [
    exchange({ kind: 'live', ms: 400 }),
    exchange({ ms: 2300 }),
    exchange({ ms: 2500 }),
    exchange({ ...refused, shed: true }),
  ];
  const listBrokenWith = (noise?: Noise) =>
    judge('x', 'database', exchanges, noise === undefined ? moments : { ...moments, noise }, even).broken;
  expect(listBrokenWith()).toEqual([
    'later than 2 s: 2 × hot 200: /brokers',
    'not promised: 1 × hot 503 (overload): /brokers',
  ]);
  expect(listBrokenWith(computeNoise(exchanges, []))).toEqual(['later than 2 s: 1 × hot 200: /brokers']);
});

test('judges no time on a machine that is so busy that all parts are late, but everything else', () => {
  const exchanges = [
    exchange({ kind: 'live', ms: 501 }),
    exchange({ ms: 9000 }),
    exchange({ kind: 'ready', at: 12_000, ...refused }),
    exchange({ kind: 'write', status: 500 }),
    exchange({ kind: 'cold', ms: 10_000, status: 0 }),
    exchange({ kind: 'write', ...refused }),
    exchange({ kind: 'hot', ...refused }),
  ];
  const lost = { acknowledged: 3, lost: ['a'], doubled: [] };
  const { broken } = judge('x', 'redis', exchanges, { ...moments, noise: computeNoise(exchanges, []) }, lost);
  expect(broken).toEqual(['not promised: 1 × write 500: /brokers', 'lost: a']);
});

test.each<[string, Partial<Exchange>, { readonly live?: Span; readonly write?: Span }, number]>([
  ['a write, while a write beside it was slow too', { kind: 'write' }, { write: { at: 1900, ms: 151 } }, 0],
  ['a write, while liveness was slow too', { kind: 'write' }, { live: { at: 1900, ms: 151 } }, 0],
  ['a write, while both were as fast as ever', { kind: 'write' }, { write: { at: 1900, ms: 149 } }, 1],
  ['a write, before a write beside it was slow', { kind: 'write' }, { write: { at: 2011, ms: 900 } }, 1],
  ['a write, after a write beside it was slow', { kind: 'write' }, { write: { at: 1000, ms: 999 } }, 1],
  ['a write, without a time to come back', { kind: 'write', retryAfter: false }, { write: { at: 1900, ms: 900 } }, 1],
  ['a hot read, which needs no database', { kind: 'hot' }, { write: { at: 1900, ms: 900 } }, 1],
])('a refusal while Redis is away is excused only by a machine that stalled: %s', (...row) => {
  const [, over, { live, write }, wrong] = row;
  const exchanges = [exchange({ ...refused, ...over }), ...(live ? [exchange({ kind: 'live', ...live })] : [])];
  const noise = computeNoise(exchanges, write ? [write] : []);
  expect(judge('x', 'redis', exchanges, { ...moments, noise }, even).broken).toHaveLength(wrong);
});

test('names what is lost or doubled', () => {
  expect(listBroken('redis', {}, { acknowledged: 3, lost: ['a'], doubled: ['b'] })).toEqual(['lost: a', 'doubled: b']);
});

test('counts times from the fault, and from when the service could recover', () => {
  const exchanges = [
    exchange({ kind: 'ready', at: 500 }),
    exchange({ kind: 'ready', at: 3000, ...refused }),
    exchange({ kind: 'ready', at: 14_000, ...refused }),
    exchange({ kind: 'ready', at: 14_490 }),
    exchange({ kind: 'write', at: 15_000, ms: 1000, ...refused }),
    exchange({ kind: 'write', at: 17_000, status: 201 }),
  ];
  expect(judge('x', 'database', exchanges, moments, even)).toMatchObject({
    load: 0.3,
    answered: 3,
    failedFast: 3,
    noConnection: 0,
    worstMs: 1000,
    downAfter: 2.01,
    backAfter: 1.5,
    recovery: 3,
    broken: [],
  });
});
