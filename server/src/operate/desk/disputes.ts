import type { DisputeChange } from '@broker-transparency/contract';
import { claimCase, listClaims, releaseCase } from '../../features/claims/actions.ts';
import { decideDispute, decideDisputeText } from '../../features/disputes/actions.ts';
import { listDisputesOfBroker, listOpenDisputes, showDispute } from '../../features/disputes/facts.ts';
import { findSpeakingRight } from '../../features/representatives/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { type CaseFacts, type DeskAction, type DeskKind, type Sight, toParts } from './kind.ts';

const MOST_RELATED = 10;

/** Actions that change nothing about a text in some states. */
const IDLE: Readonly<Partial<Record<string, readonly string[]>>> = {
  shown: ['show'],
  hidden: ['hide'],
  erased: ['show', 'hide'],
};

const open = async (db: Db, id: string, _sight: Sight, now: Date): Promise<CaseFacts> => {
  const dispute = await showDispute(db, id);
  const { broker, status, field, text, textState, evidence = [], createdAt, decidedAt, dueAt, note } = dispute;
  const [claims, others] = await Promise.all([listClaims(db, now), listDisputesOfBroker(db, broker, MOST_RELATED + 1)]);
  const { state: rightOfAuthor } = await findSpeakingRight(db, dispute.representative);
  return {
    broker,
    title: `Dispute ${id} of ${broker}`,
    state: textState === 'waiting' && status !== 'open' ? 'text' : status,
    facts: [
      ['Disputed fact', field],
      ['State of the text', textState],
      ['Right of its author to answer for the firm', rightOfAuthor],
    ],
    texts: [
      ...(text === undefined ? [] : [{ label: 'Text of the firm', parts: toParts(text) }]),
      ...evidence.map((link) => ({ label: 'Evidence', parts: toParts(link) })),
    ],
    related: others
      .filter(({ _id }) => _id !== id)
      .map(({ _id, field: other, status: state }) => ({ kind: 'dispute', id: _id, label: `${other} (${state})` })),
    timeline: [
      { at: createdAt, text: 'Opened' },
      { at: dueAt, text: 'A decision is due' },
      ...(decidedAt ? [{ at: decidedAt, text: `Ended as ${status}${note === undefined ? '' : `: ${note}`}` }] : []),
    ],
    claim: claims('dispute', id),
    idle: IDLE[textState] ?? [],
  };
};

/** States in which a text can be decided: that of the dispute does not matter. */
const ANY = ['open', 'text', 'upheld', 'rejected', 'withdrawn'];

const textAction = (action: string, label: string, state: 'shown' | 'hidden'): DeskAction => ({
  action,
  command: 'dispute text',
  label,
  states: state === 'shown' ? ANY.filter((one) => one !== 'withdrawn') : ANY,
  takes: [],
  run: (context, id) => decideDisputeText(context, id, state),
});

export const disputeKind: DeskKind = {
  kind: 'dispute',
  plural: 'Disputes',
  lists: 'dispute list',
  shows: 'dispute show',
  claims: 'dispute show',
  list: async (db, now, limit) => {
    const claims = await listClaims(db, now);
    return (await listOpenDisputes(db, limit)).map(({ _id: id, broker, status, field, createdAt, dueAt }) => ({
      kind: 'dispute',
      id,
      broker,
      title: `${field}${status === 'open' ? '' : ': its text waits'}`,
      since: createdAt,
      dueAt,
      claim: claims('dispute', id),
    }));
  },
  open,
  claim: (context, id) => claimCase(context, 'dispute', id),
  release: (context, id) => releaseCase(context, 'dispute', id),
  forms: [
    {
      fields: ['change', 'statement', 'firmNote'],
      actions: [
        {
          action: 'uphold',
          command: 'dispute decide',
          label: 'Uphold: the fact was changed',
          key: 'y',
          states: ['open'],
          takes: ['change', 'statement', 'firmNote'],
          needs: ['change'],
          run: (context, id, { change, statement, firmNote: note }) =>
            decideDispute(context, id, { kind: 'uphold', change: change as DisputeChange, statement, note }),
        },
        {
          action: 'reject',
          command: 'dispute decide',
          label: 'Reject: the fact stays',
          key: 'r',
          states: ['open'],
          takes: ['firmNote'],
          needs: ['firmNote'],
          run: (context, id, { firmNote: note = '' }) => decideDispute(context, id, { kind: 'reject', note }),
        },
      ],
    },
    {
      fields: [],
      actions: [
        textAction('show', 'Show the text to everybody', 'shown'),
        textAction('hide', 'Hide the text', 'hidden'),
      ],
    },
  ],
};
