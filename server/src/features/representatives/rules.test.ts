import { BROKER_STATUSES } from '@broker-transparency/contract';
import { mayReply } from '@broker-transparency/contract/record';
import { describe, expect, test } from 'vitest';
import { mayAnswerComplaints, mayDispute, maySpeakForFirm } from './rights.rule.ts';
import { REPRESENTATIVE_MOVES, REPRESENTATIVE_STATES, requireRepresentativeMove } from './status.rule.ts';

describe('what a firm may say', () => {
  test.each(BROKER_STATUSES)(
    'a firm that is %s may dispute facts, and reply and answer complaints unless it is a suspected clone',
    (status) => {
      expect(mayDispute({ status })).toBe(true);
      expect(mayReply({ status })).toBe(status !== 'suspected_clone');
      expect(mayAnswerComplaints({ status })).toBe(status !== 'suspected_clone');
    },
  );
});

describe('what a person wrote for a firm', () => {
  test.each(REPRESENTATIVE_STATES)('words of a person become public while they are active alone: %s', (status) => {
    expect(maySpeakForFirm({ status })).toBe(status === 'active');
  });

  test('words of a person may become public after they gave up, and not after an operator ended it', () => {
    const endings = ['by_operator', 'by_person', 'code_unused', 'declined', 'person_erased'] as const;
    expect(endings.filter((ending) => maySpeakForFirm({ status: 'ended', ending }))).toEqual(['by_person']);
  });
});

describe('the states of a person who is to answer for a broker', () => {
  const every = REPRESENTATIVE_STATES.flatMap((from) => REPRESENTATIVE_STATES.map((to) => ({ from, to })));
  const allowed = ['requested confirmed', 'requested ended', 'confirmed active', 'confirmed ended', 'active ended'];

  test.each(every)('$from to $to is allowed exactly as listed', ({ from, to }) => {
    const isAllowed = allowed.includes(`${from} ${to}`);
    expect(REPRESENTATIVE_MOVES[from].includes(to)).toBe(isAllowed);
    const move = () => requireRepresentativeMove('rp_1', from, to);
    if (isAllowed) expect(move).not.toThrow();
    else expect(move).toThrow(`rp_1 is ${from}`);
  });

  test('nobody answers for a broker without two operators and a code', () => {
    const before = REPRESENTATIVE_STATES.filter((from) => REPRESENTATIVE_MOVES[from].includes('active'));
    expect(before).toEqual(['confirmed']);
  });
});
