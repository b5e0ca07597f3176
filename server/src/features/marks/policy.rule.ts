/** Bounds of an uploaded picture. They are far above any mark, and far below the memory of a server. */
export const BOUNDS = { bytes: 1_048_576, leastSide: 32, mostSide: 4096 } as const;

/** Pixels of each side of a stored mark: twice those that pages give it. */
export const MARK_SIDE = 96;

/** Reason codes of an upload: the right by which pages show the mark. */
export const MARK_RIGHTS = {
  firm_sent: 'the firm sent it, to be shown here',
  press_kit: 'the firm offers it to whoever writes about it',
} as const;
export type MarkRight = keyof typeof MARK_RIGHTS;

/** Reason codes of a removal. */
export const MARK_REMOVALS = {
  firm_asked: 'the firm does not want it to be shown',
  rights: 'somebody else has a right to it',
  outdated: 'the firm has another one now',
  misleading: 'it makes the firm look like another one, or like an authority',
} as const;
export type MarkRemoval = keyof typeof MARK_REMOVALS;
