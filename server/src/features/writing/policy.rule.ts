const DAY_MS = 86_400_000;

/** The kinds of texts that people write. */
export const WRITTEN_KINDS = ['review', 'complaint'] as const;
export type WrittenKind = (typeof WRITTEN_KINDS)[number];

/** How long the draft of a review is kept after its last change. */
export const DRAFT_KEPT_MS = 30 * DAY_MS;

/** Maximum number of drafts that a person can go on with. One more is refused. */
export const MOST_DRAFTS = 20;

/** Maximum characters of a field that are kept: more than any field may have, so that a person can shorten it. */
export const MOST_KEPT = 20_000;
