import { DISPUTE_CHANGES, DISPUTE_FIELDS, DISPUTE_STATUSES, Dispute } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDisputeEntry, toDisputeView } from './entries.rule.ts';
import { isAbout, isStated } from './policy.rule.ts';
import { computeDueAt, DISPUTE_MOVES, findChangeFault, requireDisputeMove, TEXT_STATES } from './status.rule.ts';

const createdAt = new Date('2026-11-03T12:00:00Z');
const dispute = { _id: 'D-1', field: 'licenses', status: 'open', createdAt, accountId: 'a1' } as const;

describe('the states of a dispute', () => {
  const every = DISPUTE_STATUSES.flatMap((from) => DISPUTE_STATUSES.map((to) => ({ from, to })));

  test.each(every)('$from becomes $to only from open', ({ from, to }) => {
    const isAllowed = from === 'open' && to !== 'open';
    expect(DISPUTE_MOVES[from].includes(to)).toBe(isAllowed);
    const move = () => requireDisputeMove({ ...dispute, status: from }, to);
    if (isAllowed) expect(move).not.toThrow();
    else expect(move).toThrow(from);
  });
});

describe('the clock', () => {
  test('a decision is due two weeks after the dispute', () => {
    expect(computeDueAt(createdAt).toISOString()).toBe('2026-11-17T12:00:00.000Z');
  });
});

describe('the statement that changed a fact', () => {
  const later = new Date('2026-11-04T00:00:00Z');
  const made = (properties: readonly string[], recordedAt = later, changed = properties) => ({
    recordedAt,
    properties,
    changed,
  });
  test.each([
    ['licenses', 12, made(['licenses']), undefined],
    ['licenses', 12, made(['finding ["fca","1","Alpha Ltd"]']), undefined],
    ['licenses', 12, made(['overrule register:fca finding ["fca","1","Alpha Ltd"]']), undefined],
    ['licenses', 12, made(['overrule dataset:x licenses']), undefined],
    ['warnings', 12, made(['warning fca/1']), undefined],
    ['name', 12, made(['country', 'name']), undefined],
    ['licenses', 12, made(['warning fca/1']), 'not about licenses'],
    ['name', 12, made(['legalName']), 'not about name'],
    ['licenses', 12, made(['licenses'], new Date('2026-11-03T11:59:59Z')), 'older than'],
    ['licenses', 12, made(['licenses', 'name'], later, ['name']), 'changed nothing'],
    ['licenses', 12, undefined, 'no statement 12'],
    ['licenses', undefined, undefined, 'Change the fact first'],
    ['complaints', undefined, undefined, undefined],
    ['reviews', undefined, undefined, undefined],
    ['complaints', 12, made(['licenses']), 'name none'],
  ] as const)('%s by statement %s (%j): %s', (field, statement, found, fault) => {
    const said = findChangeFault({ ...dispute, field }, statement, found);
    if (fault === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(fault);
  });

  test.each(DISPUTE_FIELDS.filter(isStated))('a statement of %s is about it', (field) => {
    expect(isAbout(field, field)).toBe(true);
  });
});

describe('what is public', () => {
  const document = fc.record(
    {
      field: fc.constantFrom(...DISPUTE_FIELDS),
      status: fc.constantFrom(...DISPUTE_STATUSES),
      textState: fc.constantFrom(...TEXT_STATES),
      text: fc.constant('SECRET text'),
      evidence: fc.constant(['https://SECRET.example']),
      accountId: fc.constant('SECRET account'),
      decidedBy: fc.constant('operator:SECRET'),
      change: fc.constantFrom(...DISPUTE_CHANGES),
      statement: fc.nat(),
      decidedAt: fc.constant(createdAt),
    },
    { requiredKeys: ['field', 'status', 'textState', 'text'] },
  );
  const toDocument = (drawn: object) => ({
    _id: 'D-1',
    broker: 'alpha',
    representative: 'SECRET rp',
    createdAt,
    ...drawn,
  });

  test('a text is public only once a person shows it, not once it was taken back, and never in the record', () => {
    fc.assert(
      fc.property(document, (drawn) => {
        const whole = toDocument(drawn) as unknown as Parameters<typeof toDisputeView>[0];
        const view = toDisputeView(whole);
        expect(Dispute.parse(view)).toEqual(view);
        const isShown = drawn.textState === 'shown' && drawn.status !== 'withdrawn';
        expect(view.text).toBe(isShown ? 'SECRET text' : undefined);
        expect(JSON.stringify({ ...view, text: undefined })).not.toContain('SECRET');
        expect(JSON.stringify(toDisputeEntry(whole))).not.toContain('SECRET');
      }),
    );
  });
});
