import { Lei, RegulatorCode, Text, Timestamp, WebUrl } from '@broker-transparency/contract';
import * as z from 'zod';
import { isSame } from '../../ledger/statements/statement.rule.ts';
import { hashToHex } from '../../platform/sha256.rule.ts';
import { mentionsClone } from './clone-words.rule.ts';
import { readNamed } from './named.rule.ts';

/**
 * The authority that warns. Its code is that of a regulator of this service; without it, licence numbers are not
 * compared.
 */
export const WarningAuthority = z.strictObject({ code: RegulatorCode.nullable(), name: Text(1, 200) });
export type WarningAuthority = z.infer<typeof WarningAuthority>;

/** A warning as a row of an authority's list states it. */
export const WarningEntry = z.strictObject({
  authority: WarningAuthority,
  /** The authority's own id; null if it gives none. */
  id: Text(1, 200).nullable().default(null),
  /** Names as the list writes them, with annotations. */
  names: z.array(Text(1, 300)).max(100).default([]),
  /** Firms that the list itself marks as impersonated, with their numbers at the authority and their sites. */
  victims: z.array(Text(1, 300)).max(50).default([]),
  victimNumbers: z.array(Text(1, 80)).max(50).default([]),
  victimDomains: z.array(Text(1, 2000)).max(50).default([]),
  /** Hosts or addresses. */
  domains: z.array(Text(1, 2000)).max(200).default([]),
  licenseNumbers: z.array(Text(1, 80)).max(50).default([]),
  leis: z.array(Lei).max(50).default([]),
  publishedAt: Timestamp.nullable().default(null),
  /** A day by which it was published, such as that of its last change; null if the list gives none. */
  publishedBy: Timestamp.nullable().default(null),
  /** The page of this warning; null if the list has none. */
  url: WebUrl.nullable().default(null),
  /** The authority's own word for the kind of warning. */
  category: Text(1, 300).nullable().default(null),
  /** The authority's text. It is searched for words on clones, and not kept. */
  text: z.string().max(100_000).nullable().default(null),
  /** True if the list itself marks it as about a clone or an impersonation. */
  mentionsClone: z.boolean().default(false),
});
export type WarningEntry = z.infer<typeof WarningEntry>;

/** One reading of a list. */
export interface WarningList {
  /** Name of its mapping file. */
  readonly source: string;
  /** Address at which people read the list. */
  readonly url: string;
  /** True if it has all standing warnings, so that absence means withdrawal; false for a feed of the newest. */
  readonly isFull: boolean;
  /** Time of the data, RFC 3339. */
  readonly asOf: string;
  readonly sha256: string;
  readonly credit: string | null;
  readonly entries: readonly WarningEntry[];
}

/** A stored warning. */
export interface WarningState {
  readonly _id: string;
  /** The list that contains it. */
  readonly source: string;
  readonly authority: WarningAuthority;
  /** The authority's own id. */
  readonly externalId: string | null;
  /** Names of the firms that it warns of, without annotations and hosts. */
  readonly names: readonly string[];
  /** Names as the list writes them, for display. */
  readonly written: readonly string[];
  /** Impersonated firms, as the list describes them. */
  readonly victims: readonly string[];
  readonly victimNumbers: readonly string[];
  readonly victimDomains: readonly string[];
  readonly domains: readonly string[];
  readonly licenseNumbers: readonly string[];
  readonly leis: readonly string[];
  /** The day of publication; null if the authority gives none. */
  readonly publishedAt: string | null;
  /** The earliest stated day by which it was published; null if the list states none. */
  readonly publishedBy: string | null;
  readonly withdrawnAt: string | null;
  readonly url: string;
  readonly category: string | null;
  readonly mentionsClone: boolean;
  /** Time of the list in which it was first read. */
  readonly seenAt: string;
  /** SHA-256 of the file that first contained it. */
  readonly file: string;
  /** Attribution and licence of the list, if required. */
  readonly credit: string | null;
}

const computeDigest = (text: string): string => hashToHex(text).slice(0, 16);

const normalizeText = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/**
 * Returns the id of a warning, which is the same at each reading of its list: from the authority's own id, else from
 * its page, else from its first name or domain with its date.
 */
export const toWarningId = (
  source: string,
  { authority, id, url, names, domains, publishedAt }: WarningEntry,
): string => {
  const own =
    id !== null
      ? ['id', id]
      : url !== null
        ? ['url', url, normalizeText(names[0] ?? domains[0] ?? '')]
        : ['row', normalizeText(names[0] ?? domains[0] ?? ''), publishedAt?.slice(0, 10) ?? ''];
  return `${source}-${computeDigest(JSON.stringify([normalizeText(authority.name), ...own]))}`;
};

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Returns a unique address for a warning, by which feeds, news and the record distinguish warnings. */
const toUniqueUrl = (id: string, { url }: WarningEntry, list: WarningList, isShared: boolean): string => {
  if (url !== null && !isShared) return url;
  const page = url ?? list.url;
  return `${page}${page.includes('#') ? '/' : '#'}${id}`;
};

/** Returns a time of an entry. Ignores a time after that of the list, which is an error of the list. */
const parseTimeBy = (time: string | null, asOf: string): string | null =>
  time === null || time.slice(0, 10) > asOf.slice(0, 10) ? null : new Date(time).toISOString();

/**
 * Returns the parties that an entry names, and its names for display. A text with only sites is displayed as sites.
 */
const readParties = (entry: WarningEntry) => {
  const read = entry.names.map((text) => ({ text, ...readNamed(text) }));
  return {
    names: unique(read.flatMap(({ names }) => names)),
    written: unique(
      read
        .filter(({ names, victims, domains }) => names.length + victims.length > 0 || domains.length === 0)
        .map(({ text }) => text),
    ),
    victims: unique([...entry.victims, ...read.flatMap(({ victims }) => victims)]),
    victimNumbers: unique(entry.victimNumbers),
    victimDomains: unique(entry.victimDomains),
    domains: unique([...entry.domains, ...read.flatMap(({ domains }) => domains)]),
  };
};

/** Returns the stored fields of an entry, as of the day of the list. */
const toWarningFacts = (entry: WarningEntry, asOf: string) => ({
  authority: entry.authority,
  externalId: entry.id,
  ...readParties(entry),
  licenseNumbers: unique(entry.licenseNumbers),
  leis: unique(entry.leis),
  publishedAt: parseTimeBy(entry.publishedAt, asOf),
  publishedBy: parseTimeBy(entry.publishedBy, asOf),
  category: entry.category,
  mentionsClone:
    entry.mentionsClone ||
    entry.victims.length > 0 ||
    mentionsClone(
      [entry.category, entry.text, entry.url, entry.id, ...entry.names, ...entry.licenseNumbers]
        .map((text) => text ?? '')
        .join('\n'),
    ),
});

const minTime = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b;

/** Joins rows of one warning: some lists have a row per domain. */
const joinRows = (a: WarningEntry, b: WarningEntry): WarningEntry => ({
  ...a,
  names: [...a.names, ...b.names],
  victims: [...a.victims, ...b.victims],
  victimNumbers: [...a.victimNumbers, ...b.victimNumbers],
  victimDomains: [...a.victimDomains, ...b.victimDomains],
  domains: [...a.domains, ...b.domains],
  licenseNumbers: [...a.licenseNumbers, ...b.licenseNumbers],
  leis: [...a.leis, ...b.leis],
  publishedAt: a.publishedAt ?? b.publishedAt,
  publishedBy: minTime(a.publishedBy, b.publishedBy),
  text: [a.text, b.text].filter((text) => text !== null).join('\n') || null,
  // only one row's category is kept: a word on clones in the other's must not be lost
  mentionsClone: a.mentionsClone || b.mentionsClone || mentionsClone(b.category ?? ''),
});

/** Returns the warnings that a list states, by id. */
const buildWarnings = (list: WarningList): Map<string, Omit<WarningState, 'seenAt' | 'file' | 'withdrawnAt'>> => {
  const byId = new Map<string, WarningEntry>();
  for (const entry of list.entries) {
    const id = toWarningId(list.source, entry);
    const known = byId.get(id);
    byId.set(id, known ? joinRows(known, entry) : entry);
  }
  const pages = new Map<string, number>();
  for (const { url } of byId.values()) if (url !== null) pages.set(url, (pages.get(url) ?? 0) + 1);
  return new Map(
    [...byId].map(([id, entry]) => {
      const isShared = entry.url !== null && (pages.get(entry.url) ?? 0) > 1;
      const url = toUniqueUrl(id, entry, list, isShared);
      return [id, { _id: id, source: list.source, url, credit: list.credit, ...toWarningFacts(entry, list.asOf) }];
    }),
  );
};

/** The change of one warning by a reading of a list. */
export interface WarningChange {
  readonly change: 'new' | 'changed' | 'withdrawn' | 'back';
  readonly state: WarningState;
}

const withoutTimes = ({ seenAt, file, withdrawnAt, ...facts }: WarningState) => facts;

/**
 * Compares a reading of a list with its stored warnings. Only a full list withdraws warnings that it lacks; a warning
 * that returns is no longer withdrawn.
 */
export const findChanges = (list: WarningList, known: ReadonlyMap<string, WarningState>): WarningChange[] => {
  const { asOf, sha256: file } = list;
  const stated = buildWarnings(list);
  const said = [...stated].flatMap(([id, facts]): WarningChange[] => {
    const before = known.get(id);
    if (!before) return [{ change: 'new', state: { ...facts, withdrawnAt: null, seenAt: asOf, file } }];
    // a page keeps its address for the first warning when a second one shares it
    const publishedBy = minTime(before.publishedBy, facts.publishedBy);
    const state = {
      ...facts,
      publishedBy,
      url: before.url,
      withdrawnAt: null,
      seenAt: before.seenAt,
      file: before.file,
    };
    if (before.withdrawnAt !== null) return [{ change: 'back', state }];
    return isSame(withoutTimes(before), withoutTimes(state)) ? [] : [{ change: 'changed', state }];
  });
  const gone = list.isFull
    ? [...known.values()].filter(({ _id, withdrawnAt }) => withdrawnAt === null && !stated.has(_id))
    : [];
  return [
    ...said,
    ...gone.map((state): WarningChange => ({ change: 'withdrawn', state: { ...state, withdrawnAt: asOf } })),
  ];
};

/** Returns the title under which a warning is published: the list's own words. */
export const formatTitle = ({
  written,
  domains,
  category,
}: Pick<WarningState, 'written' | 'domains' | 'category'>): string => {
  const about = (written.length === 0 ? domains : written).join(', ') || 'unnamed firm';
  const text = category === null ? about : `${category}: ${about}`;
  return [...text].length <= 300 ? text : `${[...text].slice(0, 299).join('')}…`;
};
