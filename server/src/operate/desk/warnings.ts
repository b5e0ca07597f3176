import { claimCase, listClaims, releaseCase } from '../../features/claims/actions.ts';
import { decideMatch, listOpenMatches, type ShownMatch, showWarning } from '../../features/warnings/actions.ts';
import { MATCH_STATES, type WarningDecision } from '../../features/warnings/decide.rule.ts';
import { WARNING_DOUBTS } from '../../features/warnings/match.rule.ts';
import { warningsModule } from '../../features/warnings/module.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { type CaseFacts, computeDue, type DeskAction, type DeskKind, type Sight, toParts } from './kind.ts';

/** Returns the match with an id: that of the warning, and the key of the broker. @throws DomainError not_found */
const requireMatch = async (db: Db, id: string): Promise<ShownMatch> => {
  const [warning = ''] = id.split('~', 1);
  const found = (await showWarning(db, warning)).matches.find(({ match }) => match._id === id);
  if (found) return found;
  throw new DomainError('not_found', `The warning "${warning}" does not fit this broker.`);
};

const formatNames = ({ warning: { names, domains } }: ShownMatch): string => [...names, ...domains].join(', ');

const open = async (db: Db, id: string, _sight: Sight, now: Date): Promise<CaseFacts> => {
  const shown = await requireMatch(db, id);
  const { warning, match, broker } = shown;
  const claims = await listClaims(db, now);
  const facts: readonly (readonly [string, string])[] = [
    ['Authority', warning.authority.name],
    ['State', MATCH_STATES[match.state]],
    ['It looks like', match.suggests === 'this_firm' ? 'a warning about this firm' : 'a warning about a clone of it'],
    ['Names', warning.names.join(', ')],
    ['Domains', warning.domains.join(', ')],
    ['Licence numbers', warning.licenseNumbers.join(', ')],
    ['Address of the warning', warning.url],
  ];
  return {
    broker,
    title: `Warning that fits ${broker}`,
    state: match.state,
    facts: facts.filter(([, value]) => value !== ''),
    texts: match.evidence.map(({ field, relation, theirs, ours }) => ({
      label: `${field} ${relation}`,
      parts: toParts(ours === theirs ? theirs : `${theirs} / ${ours}`),
    })),
    hints: match.doubts.map((code) => ({ code, detail: WARNING_DOUBTS[code] })),
    timeline: [
      { at: new Date(warning.seenAt), text: 'The warning was read first' },
      { at: match.foundAt, text: 'It fitted this broker' },
    ],
    claim: claims('warning', id),
  };
};

const decide = async (context: Context, id: string, decision: WarningDecision): Promise<void> => {
  const { warning, broker } = await requireMatch(context.db, id);
  await decideMatch(context, warning._id, broker, decision);
};

const action = (
  given: Pick<DeskAction, 'action' | 'command' | 'label' | 'key' | 'states'>,
  decision: WarningDecision,
): DeskAction => ({ ...given, takes: [], run: (context, id) => decide(context, id, decision) });

const OPEN = ['waiting', 'unchecked'];

export const warningKind: DeskKind = {
  kind: 'warning',
  plural: 'Warnings',
  lists: 'warning queue',
  shows: 'warning queue',
  claims: 'warning confirm',
  list: async (db, now, limit) => {
    const claims = await listClaims(db, now);
    return (await listOpenMatches(db, limit)).rows.map((shown) => ({
      kind: 'warning',
      id: shown.match._id,
      broker: shown.broker,
      title: `${shown.match.state}: ${formatNames(shown)}`,
      since: shown.match.foundAt,
      dueAt: computeDue(
        warningsModule.checks[shown.match.state === 'unchecked' ? 'warnings-unchecked' : 'warnings-waiting'],
        shown.match.foundAt,
      ),
      claim: claims('warning', shown.match._id),
    }));
  },
  open,
  claim: (context, id) => claimCase(context, 'warning', id),
  release: (context, id) => releaseCase(context, 'warning', id),
  forms: [
    {
      fields: [],
      actions: [
        action(
          {
            action: 'firm',
            command: 'warning confirm',
            label: 'It is about this firm: its score is at most 19',
            key: 'f',
            states: OPEN,
          },
          { kind: 'confirm', about: 'this_firm' },
        ),
        action(
          {
            action: 'clone',
            command: 'warning confirm',
            label: 'It is about a clone: its score stays',
            key: 'c',
            states: OPEN,
          },
          { kind: 'confirm', about: 'clone_of_it' },
        ),
        action(
          {
            action: 'reject',
            command: 'warning reject',
            label: 'It is about somebody else',
            key: 'r',
            states: ['waiting'],
          },
          { kind: 'reject' },
        ),
        action(
          {
            action: 'undo',
            command: 'warning undo',
            label: 'Take the publication back',
            key: 't',
            states: ['unchecked', 'confirmed'],
          },
          { kind: 'undo' },
        ),
      ],
    },
  ],
};
