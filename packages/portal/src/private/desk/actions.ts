import type { ModerationDecision } from '@broker-transparency/contract';

/** The place of a case. */
export interface CaseAddress {
  readonly kind: string;
  readonly id: string;
}

/** The operator who works on a case. */
export interface ShownClaim {
  readonly by: string;
  readonly isYou: boolean;
  readonly until: Date;
}

/** The operator's last decision that can still be taken back. */
export interface HeldCase extends CaseAddress {
  readonly what: string;
  readonly until: Date;
}

/** A case in the inbox. */
export interface InboxRow extends CaseAddress {
  readonly broker: string;
  readonly title: string;
  readonly since: Date;
  readonly dueAt: Date;
  readonly claim: ShownClaim | undefined;
}

/** The kind and the search to which the inbox is narrowed. */
export interface InboxFilter {
  readonly kind?: string | undefined;
  /** Slug of a broker. */
  readonly broker?: string | undefined;
  readonly who?: 'me' | 'nobody' | undefined;
}

/** The cases that wait. */
export interface Inbox {
  /** The kinds that the operator may see. */
  readonly kinds: readonly { readonly kind: string; readonly plural: string; readonly count: number }[];
  readonly rows: readonly InboxRow[];
  readonly total: number;
  readonly held: HeldCase | undefined;
  /** Reviews whose decision by the operator could not be written within the last day. */
  readonly notWritten: readonly string[];
}

/** A part of a text; `mark` names the hint that it is about. */
export interface TextPart {
  readonly text: string;
  readonly mark?: string;
}

/** A field of a form. */
export interface DeskField {
  readonly name: string;
  readonly label: string;
  readonly type: 'choice' | 'text' | 'line';
  readonly hint?: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isNeeded: boolean;
}

/** A button of a form. */
interface DeskButton {
  readonly action: string;
  readonly label: string;
  readonly key?: string;
  /** The command of the same meaning. */
  readonly command: string;
  /** True if the decision has a statement of reasons. */
  readonly hasStatement: boolean;
}

/** Decisions that share fields. */
export interface DeskForm {
  readonly fields: readonly DeskField[];
  readonly buttons: readonly DeskButton[];
}

interface CaseLink extends CaseAddress {
  readonly label: string;
}

/** Everything that decides about a case. */
export interface DeskCase extends CaseAddress {
  readonly broker: string;
  readonly title: string;
  readonly state: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly texts: readonly {
    readonly label: string;
    readonly language?: string;
    readonly parts: readonly TextPart[];
  }[];
  readonly hints?: readonly { readonly code: string; readonly detail: string }[];
  readonly similar?: readonly (CaseLink & { readonly parts: readonly TextPart[] })[];
  readonly related?: readonly CaseLink[];
  readonly timeline: readonly { readonly at: Date; readonly text: string }[];
  readonly claim: ShownClaim | undefined;
  readonly held: HeldCase | undefined;
  /** True if it is decided, and the decision can still be taken back. */
  readonly isDecided: boolean;
  readonly canClaim: boolean;
  readonly forms: readonly DeskForm[];
}

/** A decision that is not made yet, as its reader gets it. */
export interface StatementPreview {
  readonly reader: 'author' | 'reporter';
  readonly decision: ModerationDecision;
}

/** A refused decision, with the name of the field at fault. Nothing was written. */
export interface DeskProblem {
  readonly problem: string;
  readonly field?: string;
}

/** The role of the operator does not allow it. */
export interface RefusedCall {
  readonly refused: string;
}

type SentFields = Readonly<Record<string, string | undefined>>;

/** Lets the signed-in operator decide. */
export interface DeskActions {
  readonly inbox: (filter: InboxFilter) => Promise<Inbox | RefusedCall>;
  /** Undefined if there is no such case. */
  readonly open: (address: CaseAddress) => Promise<DeskCase | RefusedCall | undefined>;
  /** Claims the next case after another one; undefined if there is none. */
  readonly next: (
    filter: InboxFilter & { readonly after?: string | undefined },
  ) => Promise<CaseAddress | RefusedCall | undefined>;
  /**
   * Undefined if there is no such action. `notWritten`: reviews whose decision came too late. `stays`: the case is not
   * decided by it.
   */
  readonly decide: (
    address: CaseAddress,
    action: string,
    fields: SentFields,
  ) => Promise<
    { readonly notWritten: readonly string[]; readonly stays: boolean } | DeskProblem | RefusedCall | undefined
  >;
  readonly preview: (
    address: CaseAddress,
    action: string,
    fields: SentFields,
  ) => Promise<StatementPreview | DeskProblem | RefusedCall | undefined>;
  readonly claim: (address: CaseAddress) => Promise<DeskProblem | RefusedCall | undefined>;
  readonly release: (address: CaseAddress) => Promise<RefusedCall | undefined>;
  /** Takes the last decision back; undefined if it is written. */
  readonly undo: () => Promise<CaseAddress | RefusedCall | undefined>;
}
