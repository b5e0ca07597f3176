import { GIVEN_REASON_CODES, type GivenReasonCode, ModerationText } from '@broker-transparency/contract';
import type { FormFields } from '../../page.ts';

/** The fields of the form by which somebody reports a review. */
const REPORT_FIELDS = ['reason', 'text', 'name', 'mail', 'faith'] as const;
export type ReportField = (typeof REPORT_FIELDS)[number];

/** A report as its form has it. */
export interface CheckedReport {
  readonly reason: GivenReasonCode;
  readonly text: string;
  /** Absent if the report is anonymous, or the account of its sender stands for it. */
  readonly sender?: { readonly name: string; readonly mail: string };
  /**
   * True for offences against children: the law asks for no name there (Regulation (EU) 2022/2065, article 16), and the
   * account of the sender is not kept either.
   */
  readonly isAnonymous: boolean;
}

/** Returns a text of a form with the line ends of other texts. */
const toText = (text: string | undefined): string => (text ?? '').replaceAll('\r\n', '\n').trim();

const isText = (text: string): boolean => ModerationText.safeParse(text).success;

const isName = (name: string): boolean => name.length >= 2 && name.length <= 100 && !/[\p{C}]/u.test(name);

/** Returns the text of an appeal; undefined if it is too short, or too long. */
export const readAppeal = (fields: FormFields): string | undefined => {
  const text = toText(fields['text']);
  return isText(text) ? text : undefined;
};

/**
 * Returns the report of a form, or its fields that must be corrected, in the order of the form.
 * @param isSignedIn true if the account of the sender stands for name and address
 */
export const readReport = (
  fields: FormFields,
  isSignedIn = false,
): { readonly report: CheckedReport } | { readonly problems: readonly ReportField[] } => {
  const [text, name, mail] = [toText(fields['text']), toText(fields['name']), toText(fields['mail'])];
  const isAnonymous = fields['child'] === 'yes';
  const needsSender = !isAnonymous && !isSignedIn;
  const reason = isAnonymous ? 'unlawful' : GIVEN_REASON_CODES.find((code) => code === fields['reason']);
  const isWrong: Readonly<Record<ReportField, boolean>> = {
    reason: reason === undefined,
    text: !isText(text),
    name: needsSender && !isName(name),
    mail: needsSender && !(mail.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(mail)),
    faith: fields['faith'] !== 'yes',
  };
  const problems = REPORT_FIELDS.filter((field) => isWrong[field]);
  if (reason === undefined || problems.length > 0) return { problems };
  return { report: { reason, text, isAnonymous, ...(needsSender ? { sender: { name, mail } } : {}) } };
};
