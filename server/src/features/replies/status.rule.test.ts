import { BROKER_STATUSES, REVIEW_STATUSES } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { findReplyRefusal, REPLY_MOVES, REPLY_REFUSALS, REPLY_STATES, requireReplyMove } from './status.rule.ts';

describe('the states of a reply', () => {
  const allowed = ['waiting published', 'waiting declined', 'waiting withdrawn', 'published withdrawn'];
  const every = REPLY_STATES.flatMap((from) => REPLY_STATES.map((to) => ({ from, to })));

  test.each(every)('$from to $to is allowed exactly as listed', ({ from, to }) => {
    const isAllowed = allowed.includes(`${from} ${to}`);
    const move = () => requireReplyMove('re_1', from, to);
    if (isAllowed) expect(move).not.toThrow();
    else expect(move).toThrow(`re_1 is ${from}`);
  });

  test('nothing is published that did not wait for a person', () => {
    expect(REPLY_STATES.filter((from) => REPLY_MOVES[from].includes('published'))).toEqual(['waiting']);
  });
});

describe('who may reply', () => {
  const every = BROKER_STATUSES.flatMap((status) =>
    REVIEW_STATUSES.flatMap((reviewStatus) =>
      [false, true].flatMap((hasReply) =>
        [true, false].map((maySpeak) => ({ status, reviewStatus, hasReply, maySpeak })),
      ),
    ),
  );

  test.each(every)(
    'a firm that is $status, to a review that is $reviewStatus; it has a reply: $hasReply; its author may speak: $maySpeak',
    (occasion) => {
      const { status, reviewStatus, hasReply, maySpeak } = occasion;
      const mayReply = status !== 'suspected_clone' && reviewStatus === 'published' && !hasReply && maySpeak;
      const refusal = findReplyRefusal(occasion);
      expect(refusal === undefined).toBe(mayReply);
      if (status === 'suspected_clone') expect(refusal).toBe('clone');
      if (refusal !== undefined) expect(REPLY_REFUSALS[refusal]).toMatch(/\.$/);
    },
  );
});
