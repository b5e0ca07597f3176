/** A former state of a subject: a former slug of its own, or another subject that was merged into it. */
export interface Predecessor {
  readonly slug: string;
  /** The former name. */
  readonly name: string;
  readonly how: 'renamed' | 'merged';
  /** End of that state, RFC 3339. */
  readonly until: string;
}

/** History of a subject's slugs and mergers. Operators state it, not sources. */
export interface Identity {
  /** The published slug, if it differs from the name. */
  readonly slug?: string;
  readonly predecessors?: readonly Predecessor[];
  /** Names of the subjects that were merged into it, directly or not. References to them count as references to it. */
  readonly merged?: readonly string[];
  /** Name of the subject that it was merged into. The merged subject is not published. */
  readonly successor?: string;
}

/** A subject with its identity. Others refer to it by its name, which never changes. */
export interface NamedSubject {
  readonly name: string;
  readonly identity?: Identity | undefined;
}

/** Returns the slug under which a subject is published. */
export const toPublishedSlug = ({ name, identity }: NamedSubject): string => identity?.slug ?? name;

/** Returns the names by which others refer to a subject: its own, and those of the subjects merged into it. */
export const listSubjectNames = ({ name, identity }: NamedSubject): string[] => [name, ...(identity?.merged ?? [])];

/** Leaves out what is empty or undefined, so that a subject without a past has no identity to store. */
const tidy = ({
  slug,
  predecessors = [],
  merged = [],
  successor,
}: Omit<Identity, 'slug'> & { readonly slug?: string | undefined }): Identity => ({
  ...(slug === undefined ? {} : { slug }),
  ...(predecessors.length === 0 ? {} : { predecessors }),
  ...(merged.length === 0 ? {} : { merged }),
  ...(successor === undefined ? {} : { successor }),
});

/** Published state of a subject at the moment when its identity changes. */
export interface IdentityChange {
  /** Published name. */
  readonly called: string;
  readonly at: Date;
}

/** Returns the identity of a subject under another slug. A former slug of its own can be taken again. */
export const renameIdentity = (subject: NamedSubject, slug: string, { called, at }: IdentityChange): Identity => {
  const { predecessors = [], ...identity } = subject.identity ?? {};
  const former: Predecessor = { slug: toPublishedSlug(subject), name: called, how: 'renamed', until: at.toISOString() };
  return tidy({
    ...identity,
    slug: slug === subject.name ? undefined : slug,
    predecessors: [...predecessors.filter((one) => one.slug !== slug), former],
  });
};

/** Returns the identity of a subject after another one was merged into it. */
export const addMerged = (subject: NamedSubject, gone: NamedSubject, { called, at }: IdentityChange): Identity => {
  const { predecessors = [], merged = [], ...identity } = subject.identity ?? {};
  const former: Predecessor = { slug: toPublishedSlug(gone), name: called, how: 'merged', until: at.toISOString() };
  return tidy({ ...identity, predecessors: [...predecessors, former], merged: [...merged, ...listSubjectNames(gone)] });
};

/** Returns the identity of a subject after another one was split off again. */
export const removeMerged = (subject: NamedSubject, gone: NamedSubject): Identity => {
  const { predecessors = [], merged = [], ...identity } = subject.identity ?? {};
  const [slug, names] = [toPublishedSlug(gone), new Set(listSubjectNames(gone))];
  return tidy({
    ...identity,
    predecessors: predecessors.filter((one) => one.slug !== slug || one.how !== 'merged'),
    merged: merged.filter((name) => !names.has(name)),
  });
};

/** Returns the identity of a subject that is merged into another one, or no longer is. */
export const replaceSuccessor = ({ identity = {} }: NamedSubject, successor: string | undefined): Identity => {
  const { successor: _, ...rest } = identity;
  return tidy(successor === undefined ? rest : { ...rest, successor });
};

/** A row for a name: a subject, or a given slug with the name of its subject. */
export interface NameRow extends NamedSubject {
  readonly subjectName?: string;
}

/** Destination of a name. */
export interface Destination extends NamedSubject {
  /** True if the subject of the name was merged into this one. */
  readonly isMerged: boolean;
}

/** Returns the next name to look up; undefined if this row is the destination. */
const findNextName = ({ subjectName, identity }: NameRow): string | undefined => subjectName ?? identity?.successor;

/** Returns the names that these rows lead to and do not contain. */
export const findMissingNames = (rows: ReadonlyMap<string, NameRow>): string[] => [
  ...new Set([...rows.values()].map(findNextName).filter((name) => name !== undefined && !rows.has(name)) as string[]),
];

/** Follows a name through given slugs and mergers. An unknown name leads to itself. */
export const resolveName = (name: string, rows: ReadonlyMap<string, NameRow>): Destination => {
  let [row, isMerged]: [NameRow, boolean] = [rows.get(name) ?? { name }, false];
  for (let next = findNextName(row); next !== undefined; next = findNextName(row)) {
    isMerged ||= row.identity?.successor !== undefined;
    row = rows.get(next) ?? { name: next };
  }
  return { name: row.name, isMerged, ...(row.identity ? { identity: row.identity } : {}) };
};
