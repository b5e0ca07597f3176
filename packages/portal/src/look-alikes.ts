/** What a text can be found by. */
type AlikeField = 'lei' | 'name' | 'domain' | 'licenseNumber';

/** Why something was found: what it has of what was typed. */
export interface AlikeEvidence {
  readonly field: AlikeField;
  readonly match: 'exact' | 'likely' | 'possible';
  /** What is published. */
  readonly value: string;
}

/** A warning of an authority that names something like it. */
export interface AlikeWarning {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  /** Whom to name for it, where its list asks for that. */
  readonly credit: string | null;
  readonly evidence: readonly AlikeEvidence[];
}

/** What is known of whoever goes by a text. */
export interface Alikes {
  /** How the text was read; empty where it has nothing to look for. */
  readonly read: { readonly [field in AlikeField]?: string | undefined };
  /** Domains that were typed and not looked for: only the first one is. */
  readonly unread: readonly string[];
  /** Scripts of the text, such as `Arabic`, that were compared with the same letters only. */
  readonly scripts: readonly string[];
  /** Brokers that may be meant, or imitated: warnings first, then the best matches. */
  readonly brokers: readonly { readonly slug: string; readonly evidence: readonly AlikeEvidence[] }[];
  readonly warnings: readonly AlikeWarning[];
  readonly hasMore: boolean;
  /** The lists of warnings that were searched, with the time of each. */
  readonly lists: readonly { readonly name: string; readonly asOf: string }[];
  /** How many brokers were searched. */
  readonly searched: number;
}

/** Finds who may be meant, or imitated, by a name, a domain or a number. Nothing of the text is kept. */
export type LookAlikes = (text: string) => Promise<Alikes>;
