import { DISPUTE_CHANGES, GIVEN_REASON_CODES, REASONS, Text } from '@broker-transparency/contract';
import { CORRECTIONS } from '../../features/complaints/correction.rule.ts';
import {
  EVIDENCE_KINDS,
  listOutcomes,
  OUTCOMES,
  REJECTIONS,
  WITHDRAWALS,
} from '../../features/complaints/policy.rule.ts';
import { ComplaintEvidence } from '../../features/complaints/record.rule.ts';
import { MOST_DAYS_WITHHELD, WITHDRAWAL_REASONS } from '../../features/moderation/statement.rule.ts';
import { DECLINE_REASONS, REPLY_LENGTH } from '../../features/replies/status.rule.ts';
import { type Moment, readPastTime } from '../cli/moment.rule.ts';

/** A choice of a field. */
interface DeskChoice {
  readonly value: string;
  readonly label: string;
}

/** A field of a form of the desk. */
export interface DeskField {
  readonly name: string;
  readonly label: string;
  readonly type: 'choice' | 'text' | 'line';
  readonly hint?: string;
  /** One of them, or none. */
  readonly choices?: readonly DeskChoice[];
}

const toChoices = (codes: Readonly<Record<string, string>>): DeskChoice[] =>
  Object.entries(codes).map(([value, label]) => ({ value, label }));

/** Reasons in the text of a reply. `occasion_gone` has a button of its own. */
const { occasion_gone: _, ...TEXT_REASONS } = DECLINE_REASONS;

const toWords = (codes: readonly string[]): DeskChoice[] =>
  codes.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

const outcomeChoices = (status: 'resolved' | 'unresolved'): DeskChoice[] =>
  listOutcomes(status).map((value) => ({ value, label: OUTCOMES[value].what }));

/** Every field of the desk, by its name in forms. */
const DEFINED = {
  reason: {
    label: 'Reason',
    type: 'choice',
    choices: GIVEN_REASON_CODES.map((value) => ({ value, label: REASONS[value].description })),
  },
  note: { label: 'Note', type: 'text', hint: 'Author and reporter read it. 3 to 2000 characters.' },
  firmNote: { label: 'Note to the firm', type: 'text', hint: 'Only the firm reads it. 3 to 2000 characters.' },
  days: { label: 'Days', type: 'line', hint: `For how long it is withheld: 1 to ${MOST_DAYS_WITHHELD}.` },
  withdrawal: {
    label: 'Why',
    type: 'choice',
    choices: toWords(WITHDRAWAL_REASONS),
  },
  at: { label: 'When', type: 'line', hint: 'Empty: now. Else a time such as 2026-11-28T10:00Z, or a span such as 3h.' },
  answer: { label: 'Answer of the broker', type: 'text', hint: 'Private. May be left empty.' },
  resolution: { label: 'Outcome', type: 'choice', choices: outcomeChoices('resolved') },
  failure: { label: 'Outcome', type: 'choice', choices: outcomeChoices('unresolved') },
  rejection: { label: 'Why', type: 'choice', choices: toChoices(REJECTIONS) },
  ending: { label: 'Why', type: 'choice', choices: toChoices(WITHDRAWALS) },
  correction: { label: 'Correction', type: 'choice', choices: toChoices(CORRECTIONS) },
  outcome: {
    label: 'Right outcome',
    type: 'choice',
    choices: [...outcomeChoices('resolved'), ...outcomeChoices('unresolved')],
  },
  change: {
    label: 'How the fact changed',
    type: 'choice',
    choices: toWords(DISPUTE_CHANGES),
  },
  statement: {
    label: 'Statement that changed it',
    type: 'line',
    hint: 'Its number, as fact history has it in the column version.',
  },
  decline: { label: 'Why', type: 'choice', choices: toChoices(TEXT_REASONS) },
  evidence: { label: 'Kind of evidence', type: 'choice', choices: toWords(EVIDENCE_KINDS) },
  place: {
    label: 'Where it is kept',
    type: 'line',
    hint: 'An address, or a number in your own files. No file is stored.',
  },
  sha256: { label: 'SHA-256 of the file', type: 'line', hint: 'May be left empty.' },
  remark: { label: 'Remark', type: 'text', hint: 'Operators alone read it. 3 to 1000 characters.' },
  reply: { label: 'Answer of the firm', type: 'text', hint: 'Public under the review, at once.' },
  appeal: { label: 'Text of the appeal', type: 'text', hint: 'As it came by mail: 10 to 2000 characters.' },
} as const satisfies Record<string, Omit<DeskField, 'name'>>;
export type FieldName = keyof typeof DEFINED;

/** The given fields of a form. Empty ones are absent. */
export interface GivenFields extends Partial<Record<Exclude<FieldName, 'at' | 'days' | 'statement'>, string>> {
  readonly at?: Moment;
  readonly days?: number;
  readonly statement?: number;
}

/** Returns a field of the desk by name. */
export const describeField = (name: FieldName): DeskField => ({ name, ...DEFINED[name] });

/** The fault of a field. */
export interface DeskFieldFault {
  readonly field: FieldName;
  readonly text: string;
}

/** The texts and lines with bounds of their own. */
const TEXTS: Partial<Record<FieldName, Pick<ReturnType<typeof Text>, 'safeParse'>>> = {
  note: Text(3, 2000),
  firmNote: Text(3, 2000),
  place: ComplaintEvidence.shape.reference,
  sha256: ComplaintEvidence.shape.sha256.unwrap(),
  remark: Text(3, 1000),
  reply: Text(REPLY_LENGTH.min, REPLY_LENGTH.max),
  appeal: Text(10, 2000),
};
const ANY_TEXT = Text(1, 20_000);

/** Returns the fault of a field that is not empty. */
const findFault = (name: FieldName, text: string): string | undefined => {
  const { type } = DEFINED[name];
  if (type === 'choice')
    return describeField(name).choices?.some(({ value }) => value === text) ? undefined : 'Choose one of the list.';
  if (name === 'days') {
    const isDays = /^[1-9]\d?$/.test(text) && Number(text) <= MOST_DAYS_WITHHELD;
    return isDays ? undefined : `Give a whole number from 1 to ${MOST_DAYS_WITHHELD}.`;
  }
  if (name === 'statement') return /^[1-9]\d{0,8}$/.test(text) ? undefined : 'Give a whole number.';
  if (name === 'at') {
    const read = readPastTime(text);
    return 'fault' in read ? read.fault : undefined;
  }
  const fault = (TEXTS[name] ?? ANY_TEXT).safeParse(text).error?.issues[0]?.message;
  return fault === undefined ? undefined : `It ${fault}.`;
};

const parse = (name: FieldName, text: string): string | number | Moment => {
  if (name === 'days' || name === 'statement') return Number(text);
  if (name !== 'at') return text;
  const read = readPastTime(text);
  return 'value' in read ? read.value : text;
};

/** The fields that an action takes, and those that it cannot do without. */
export interface FieldNeeds {
  readonly takes: readonly FieldName[];
  readonly needs?: readonly FieldName[];
}

/**
 * Reads the fields of a form for one of its actions.
 * @param shown fields of the form; one that the action does not take has to be empty
 */
export const readFields = (
  { takes, needs = [] }: FieldNeeds,
  shown: readonly FieldName[],
  fields: Readonly<Record<string, string | undefined>>,
): { readonly given: GivenFields } | { readonly fault: DeskFieldFault } => {
  const given: Record<string, unknown> = {};
  for (const name of shown) {
    const text = (fields[name] ?? '').replaceAll('\r\n', '\n').trim();
    if (text === '') {
      if (needs.includes(name)) return { fault: { field: name, text: 'This decision needs it.' } };
      continue;
    }
    if (!takes.includes(name))
      return { fault: { field: name, text: 'This decision takes none: leave it empty, or decide otherwise.' } };
    const fault = findFault(name, text);
    if (fault !== undefined) return { fault: { field: name, text: fault } };
    given[name] = parse(name, text);
  }
  return { given };
};
