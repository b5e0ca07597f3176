import type { Claim } from '../../features/claims/claim.rule.ts';
import type { ModerationVerdict } from '../../features/moderation/statement.rule.ts';
import type { CheckPolicy } from '../../ledger/checks.rule.ts';
import type { Context } from '../../ledger/context.ts';
import type { Db } from '../../platform/mongo.ts';
import type { FieldName, FieldNeeds, GivenFields } from './fields.rule.ts';

/** A case in the inbox. */
export interface DeskRow {
  readonly kind: string;
  readonly id: string;
  /** Current slug of its broker. */
  readonly broker: string;
  readonly title: string;
  /** Since when it waits. */
  readonly since: Date;
  /** When the service says that somebody has to act. */
  readonly dueAt: Date;
  readonly claim?: Claim | undefined;
}

/** A part of a text; `mark` names the hint that it is about. */
export interface TextPart {
  readonly text: string;
  readonly mark?: string;
}

/** A text of people. */
export interface DeskText {
  readonly label: string;
  readonly language?: string;
  readonly parts: readonly TextPart[];
}

/** A case that is referred to. */
interface DeskLink {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

/** Everything that decides about a case. */
export interface CaseFacts {
  readonly broker: string;
  readonly title: string;
  /** Decides which actions are possible. */
  readonly state: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly texts: readonly DeskText[];
  readonly hints?: readonly { readonly code: string; readonly detail: string }[];
  /** Similar texts, which are shown beside. */
  readonly similar?: readonly (DeskLink & { readonly parts: readonly TextPart[] })[];
  /** Other cases of the same person, or about the same thing. */
  readonly related?: readonly DeskLink[];
  readonly timeline: readonly { readonly at: Date; readonly text: string }[];
  readonly claim?: Claim | undefined;
  /** True if somebody has reported it. */
  readonly isReported?: boolean;
  /** Actions that its state allows, and for which there is nothing to do. */
  readonly idle?: readonly string[];
}

/** A decision, as the command of the same meaning makes it. */
export interface DeskAction extends FieldNeeds {
  /** Value of its button. */
  readonly action: string;
  /** Words of the command. */
  readonly command: string;
  readonly label: string;
  /** The key of its button. */
  readonly key?: string;
  readonly states: readonly string[];
  readonly run: (context: Context, id: string, given: GivenFields) => Promise<unknown>;
  /** True if it waits for a minute, in which it can be taken back. */
  readonly isHeld?: true;
  /** True if the case is not decided by it, and stays on the screen. */
  readonly stays?: true;
  /** Returns the verdict whose statement of reasons somebody gets. */
  readonly verdict?: (given: GivenFields) => ModerationVerdict;
}

/** Actions that share fields. */
export interface DeskFormRules {
  readonly fields: readonly FieldName[];
  readonly actions: readonly DeskAction[];
}

/** The parts of a case that the person who looks may see. */
export interface Sight {
  /** Returns true if their role may run a command. */
  readonly may: (command: string) => boolean;
}

/** A kind of case. */
export interface DeskKind {
  readonly kind: string;
  /** Heading of a list of them. */
  readonly plural: string;
  /** Words of the command that lists them, and of the one that shows one. */
  readonly lists: string;
  readonly shows: string;
  /** Words of the command whose right it takes to work on one, besides the right to one of its actions. */
  readonly claims: string;
  /** Lists those that wait, the oldest first. */
  readonly list: (db: Db, now: Date, limit: number) => Promise<DeskRow[]>;
  /** @throws DomainError if there is none */
  readonly open: (db: Db, id: string, sight: Sight, now: Date) => Promise<CaseFacts>;
  readonly claim: (context: Context, id: string) => Promise<unknown>;
  readonly release: (context: Context, id: string) => Promise<unknown>;
  readonly forms: readonly DeskFormRules[];
}

/** Returns when a case is due: when the check of its kind says that somebody has to act, or at once. */
export const computeDue = ({ act }: CheckPolicy, since: Date): Date =>
  new Date(since.getTime() + (act?.olderThan ?? 0));

/** Returns a text as parts, with its marks. */
export const toParts = (
  text: string,
  marks: readonly { readonly code: string; readonly from: number; readonly to: number }[] = [],
): TextPart[] => {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { code, from, to } of marks) {
    if (from > at) parts.push({ text: text.slice(at, from) });
    parts.push({ text: text.slice(from, to), mark: code });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
};
