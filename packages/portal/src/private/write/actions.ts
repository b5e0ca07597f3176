import type { Outcome, Refusal } from '../outcome.ts';

/** Kinds of texts that people write. */
export type WrittenKind = 'review' | 'complaint';

/** A text that was not sent yet. */
export interface DraftText {
  /** Names this state of the text. */
  readonly version: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly savedAt: string;
  /** When it is deleted. */
  readonly endsAt: string;
}

/** A fault in a field of a form. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** A text about a broker, before it is sent. */
export interface OpenText {
  readonly draft: DraftText | undefined;
  /** The reason why the person cannot send it now. */
  readonly obstacle: Refusal | undefined;
  readonly faults: readonly FieldFault[];
  /** Codes of the parts that a moderator would look at twice. */
  readonly advice: readonly string[];
  /** Name that readers of a review see. */
  readonly publicName: string;
}

/** A draft in a list. */
interface ListedDraft {
  readonly kind: WrittenKind;
  readonly slug: string;
  readonly name: string;
  readonly endsAt: string;
}

/** Lets the signed-in person write. */
export interface WritingActions {
  readonly open: (kind: WrittenKind, slug: string) => Promise<OpenText>;
  /**
   * Keeps a text, whatever its faults; an empty one is not kept. Returns the maximum number of texts if the person has
   * as many others.
   */
  readonly save: (
    kind: WrittenKind,
    slug: string,
    fields: Readonly<Record<string, string | undefined>>,
  ) => Promise<{ readonly faults: readonly FieldFault[] } | { readonly most: number }>;
  readonly discard: (kind: WrittenKind, slug: string) => Promise<void>;
  /** Sends a state of a text once, however often it is called. */
  readonly send: (kind: WrittenKind, slug: string, version: string) => Promise<Outcome<{ readonly reference: string }>>;
  readonly listDrafts: () => Promise<readonly ListedDraft[]>;
}
