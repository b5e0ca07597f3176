import * as z from 'zod';

/** Kinds of sources, and who speaks in each. */
const SOURCE_KINDS = {
  authority: 'A public authority about a matter of its own, such as a warning that it published.',
  register: 'The register of a regulator, as its file says it.',
  calendar: 'The time itself: a licence whose last day is over.',
  editor: 'The editors of this service.',
  dataset: 'A data set of somebody else, such as a list of firms.',
  broker: 'The broker about itself.',
  reference: 'The reference data that comes with the service.',
} as const;

/** The kind of a source of facts. Its rank depends on the fact. */
export type SourceKind = keyof typeof SOURCE_KINDS;

export const SourceKind = z.enum(Object.keys(SOURCE_KINDS) as [SourceKind, ...SourceKind[]]);
