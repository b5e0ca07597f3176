import { expect, test } from 'vitest';
import type { LiveAnswers } from './live.ts';
import { compareLive } from './live.ts';
import type { RecordState } from './record-state.ts';

const TIMES = { since: '2026-11-01T00:00:00.000Z', dueAt: '2026-11-15T00:00:00.000Z' };
const LOGGED = { broker: 'alpha', field: 'name', status: 'open', ...TIMES };
const ANSWERED = { reference: 'D-1', field: 'name', status: 'open', ...TIMES };

/** A log with one broker, which disputed its name once. A broker that was merged into it had disputed its own. */
const log = {
  brokers: new Map([
    ['alpha', { key: 'alpha', facts: { broker: { slug: 'alpha', merged: ['merged'] }, licenses: [] } }],
  ]),
  disputes: new Map([
    ['dispute/D-1', LOGGED],
    ['dispute/D-2', { ...LOGGED, broker: 'merged' }],
  ]),
  reviewsAbout: () => new Map(),
} as unknown as RecordState;

const auditDisputes = (disputes: object | undefined, touched = new Set<string>(), state = log) => {
  const answer = { slug: 'alpha', predecessors: [], recentReviews: [], disputes };
  const live = {
    brokers: [answer],
    summaries: [],
    total: 1,
    regulators: [],
    regulatorDetails: [],
    reviews: [],
    news: [],
  };
  const evidence = { log: state, openings: new Map(), touched, size: 2 };
  const { findings, changing } = compareLive(live as unknown as LiveAnswers, evidence);
  return { found: findings.map(({ message }) => message).filter((one) => one.includes('disputes')), changing };
};

test.each([
  ['as it is logged', [ANSWERED], []],
  ['with its text, which nobody logs', [{ ...ANSWERED, text: 'We are called Alpha.' }], []],
  ['as rejected', [{ ...ANSWERED, status: 'rejected' }], ['disputes[0].status "rejected", the log "open"']],
  ['about another fact', [{ ...ANSWERED, field: 'lei' }], ['disputes[0].field "lei", the log "name"']],
  ['with another reference', [{ ...ANSWERED, reference: 'D-3' }], ['disputes[0].reference "D-3", the log "D-1"']],
  ['not at all', undefined, ['disputes "0 items", the log "1 items"']],
  ['beside another one', [ANSWERED, { ...ANSWERED, reference: 'D-2' }], ['disputes "2 items", the log "1 items"']],
])('an audit compares a dispute that is answered %s', (_, disputes, differences) => {
  expect(auditDisputes(disputes).found).toEqual(differences.map((one) => `alpha: the API says ${one}`));
});

test('a dispute that arrives while an audit reads the answers is not a finding', () => {
  const { found, changing } = auditDisputes(undefined, new Set(['broker/merged']));
  expect([found, changing]).toEqual([[], ['alpha']]);
});

test('an audit misses no ended dispute that an answer leaves out because it has the 50 newest', () => {
  const ended = Array.from({ length: 51 }, (_, at): [string, object] => [
    `dispute/D-${100 + at}`,
    { ...LOGGED, status: 'rejected' },
  ]);
  const answered = ended.slice(1).map(([key]) => ({ ...ANSWERED, reference: key.split('/')[1], status: 'rejected' }));
  const many = { ...log, disputes: new Map([...log.disputes, ...ended]) } as unknown as RecordState;
  expect(auditDisputes([ANSWERED, ...answered], new Set(), many).found).toEqual([]);
  expect(auditDisputes(answered, new Set(), many).found).toEqual([
    'alpha: the API says disputes "50 items", the log "51 items"',
  ]);
});
