import { DISPUTE_FIELDS, type DisputeField, WebUrl } from '@broker-transparency/contract';

/** Bounds of what a firm writes, as the pages tell them; the actions check them again. */
export const BOUNDS = {
  text: { min: 20, max: 4000 },
  links: 10,
  days: 14,
  /** Open disputes of one firm. */
  open: 10,
  reply: { min: 2, max: 5000 },
  answer: { min: 2, max: 20_000 },
} as const;

/** The fields of a form that disputes a fact, as they were sent. */
export interface DisputeForm {
  readonly field: string;
  readonly text: string;
  /** One link a line. */
  readonly evidence: string;
}

export type DisputeFault = keyof DisputeForm;

const isField = (field: string): field is DisputeField => DISPUTE_FIELDS.some((one) => one === field);

const toLinks = (evidence: string): string[] =>
  evidence
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the length of a text as people count it: a line break is one character. */
const measure = (text: string): number => text.replaceAll('\r\n', '\n').trim().length;

/** Returns whether a text is within bounds. */
export const isWithin = (text: string, { min, max }: { readonly min: number; readonly max: number }): boolean => {
  const length = measure(text);
  return length >= min && length <= max;
};

/** Why a dispute is not taken that has no fault: one of this fact is open, too many are, or the firm may not. */
export type DisputeConflict = 'same' | 'many' | 'other';

/** Returns why a dispute of a field was not taken. */
export const findConflict = (
  disputes: readonly { readonly field: string; readonly status: string }[],
  field: string,
): DisputeConflict => {
  const open = disputes.filter(({ status }) => status === 'open');
  if (open.some((one) => one.field === field)) return 'same';
  return open.length >= BOUNDS.open ? 'many' : 'other';
};

/** Reads a form that disputes a fact: what it says, or the fields that have to be corrected. */
export const parseDispute = ({ field, text, evidence }: DisputeForm) => {
  const links = toLinks(evidence);
  const isLinked = links.length <= BOUNDS.links && links.every((link) => WebUrl.safeParse(link).success);
  const faults: DisputeFault[] = [
    ...(isField(field) ? [] : (['field'] as const)),
    ...(isWithin(text, BOUNDS.text) ? [] : (['text'] as const)),
    ...(isLinked ? [] : (['evidence'] as const)),
  ];
  return isField(field) && faults.length === 0
    ? { given: { field, text: text.replaceAll('\r\n', '\n').trim(), evidence: links }, faults }
    : { given: undefined, faults };
};
