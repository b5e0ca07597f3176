/** A searchable field of a text. */
type AlikeField = 'lei' | 'name' | 'domain' | 'licenseNumber';

/** A published value that matches the text. */
export interface AlikeEvidence {
  readonly field: AlikeField;
  readonly match: 'exact' | 'likely' | 'possible';
  /** The published value. */
  readonly value: string;
}

/** A warning of an authority about a similar name. */
export interface AlikeWarning {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  /** Attribution, if the list requires one. */
  readonly credit: string | null;
  readonly evidence: readonly AlikeEvidence[];
}

/** Result of a look-alike search. */
export interface Alikes {
  /** Interpretation of the text; empty if it has nothing to look for. */
  readonly read: { readonly [field in AlikeField]?: string | undefined };
  /** Further domains in the text: only the first one is looked for. */
  readonly unread: readonly string[];
  /** Scripts of the text, such as `Arabic`, that match only the same letters. */
  readonly scripts: readonly string[];
  /** Brokers that may be meant or imitated: those with warnings first, then the best matches. */
  readonly brokers: readonly { readonly slug: string; readonly evidence: readonly AlikeEvidence[] }[];
  readonly warnings: readonly AlikeWarning[];
  readonly hasMore: boolean;
  /** The searched lists of warnings, with the time of each. */
  readonly lists: readonly { readonly name: string; readonly asOf: string }[];
  /** Number of searched brokers. */
  readonly searched: number;
}

/** Finds brokers that a name, a domain or a number may mean or imitate. The text is not stored. */
export type LookAlikes = (text: string) => Promise<Alikes>;
