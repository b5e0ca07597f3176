/* A rating of one day as one file that proves itself: JSON, or a page for people with the same JSON in it. */

/**
 * Name of this version of the file format. The format of a version never changes, since old files are verified by it.
 */
export const PUBLICATION_FORMAT = 'broker-transparency-publication/1';

/** Terms of use for the holder of a file. */
export const PUBLICATION_TERMS = {
  'with-citation': 'May be published with the citation. This file may be passed on unchanged.',
  internal:
    'For the organisation that got it by its agreement. This file may be shown unchanged to auditors and authorities.',
  'official-duties': 'For the official duties of the authority that got it by its agreement.',
} as const;

/** One of the keys of {@link PUBLICATION_TERMS}. */
export type Republication = keyof typeof PUBLICATION_TERMS;

/** The facts of a file that its proofs show. */
export interface PublicationFacts {
  readonly broker: {
    readonly slug: string;
    /** Name at that time. */
    readonly name: string;
    /** The entry with its name. */
    readonly entry: number;
  };
  readonly rating: {
    /** `YYYY-MM-DD`: the rating is that of 00:00 UTC. */
    readonly date: string;
    /** From 0 to 100; null if not rated. */
    readonly value: number | null;
    readonly color: string;
    /** The entry of the day. */
    readonly entry: number;
  };
  readonly methodology: {
    readonly version: string;
    /** SHA-256 of its arithmetic as one file, in hexadecimal. */
    readonly sha256: string;
    readonly entry: number;
  };
  readonly log: {
    readonly origin: string;
    /** Number of entries of the signed tree. */
    readonly size: number;
    /**
     * Keys of the log that signed it. Compare them with those from a source that you trust, since a forger would name
     * others.
     */
    readonly keys: readonly string[];
  };
  /** Proof files (c2sp.org/tlog-proof), all to one checkpoint. */
  readonly proofs: { readonly rating: string; readonly broker: string; readonly methodology: string };
}

/** A publication. Everything but the terms follows from the proofs. */
export interface Publication extends PublicationFacts {
  readonly format: typeof PUBLICATION_FORMAT;
  /** One line to be printed beside the rating. */
  readonly citation: string;
  /** Who publishes it: the host of the log. */
  readonly publisher: { readonly host: string };
  readonly terms: { readonly republication: Republication; readonly text: string };
}

/** What one line about a rating has. */
export type CitationFacts = Pick<PublicationFacts, 'broker' | 'rating' | 'methodology'> & {
  readonly log: Pick<PublicationFacts['log'], 'origin'>;
};

const toHost = (origin: string): string => origin.split('/', 1)[0] as string;

/**
 * Returns the line to be printed beside a rating.
 * @example formatCitation({ broker: { slug: 'a', name: 'A', entry: 1 }, rating: { date: '2026-11-23', value: 82.5, color: 'green', entry: 9 }, methodology: { version: '2026-1', sha256: '00', entry: 0 }, log: { origin: 'a.example/log' } }) // 'A (a): 82.5 of 100, green, at 00:00 UTC on 2026-11-23 by methodology 2026-1. Source: a.example, entry 9 of the log a.example/log.'
 */
export const formatCitation = ({ broker, rating, methodology, log: { origin } }: CitationFacts): string => {
  const { date, value, color, entry } = rating;
  const score = value === null ? 'not rated' : `${value} of 100`;
  const what = `${broker.name} (${broker.slug}): ${score}, ${color}, at 00:00 UTC on ${date} by methodology ${methodology.version}`;
  return `${what}. Source: ${toHost(origin)}, entry ${entry} of the log ${origin}.`;
};

/**
 * Makes a publication of what is proven. Fields are written in the order in which they are given: that of
 * {@link PublicationFacts}.
 * @example makePublication({ broker: { slug: 'a', name: 'A', entry: 1 }, rating: { date: '2026-11-23', value: 82.5, color: 'green', entry: 9 }, methodology: { version: '2026-1', sha256: '00', entry: 0 }, log: { origin: 'a.example/log', size: 10, keys: [] }, proofs: { rating: '', broker: '', methodology: '' } }, 'with-citation').terms.republication // 'with-citation'
 */
export const makePublication = (
  { broker, rating, methodology, log, proofs }: PublicationFacts,
  republication: Republication,
): Publication => ({
  format: PUBLICATION_FORMAT,
  citation: formatCitation({ broker, rating, methodology, log }),
  broker,
  rating,
  methodology,
  publisher: { host: toHost(log.origin) },
  log,
  terms: { republication, text: PUBLICATION_TERMS[republication] },
  proofs,
});

/**
 * Writes a publication as a JSON file.
 * @example formatPublication(makePublication({ broker: { slug: 'a', name: 'A', entry: 1 }, rating: { date: '2026-11-23', value: 82.5, color: 'green', entry: 9 }, methodology: { version: '2026-1', sha256: '00', entry: 0 }, log: { origin: 'a.example/log', size: 10, keys: [] }, proofs: { rating: '', broker: '', methodology: '' } }, 'internal')).startsWith('{\n  "format": "broker-transparency-publication/1"') // true
 */
export const formatPublication = (publication: Publication): string => `${JSON.stringify(publication, null, 2)}\n`;

const OPENING = '<script type="application/json" id="publication">\n';
const CLOSING = '</script>';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);

const STYLE =
  'body{font:16px/1.5 sans-serif;max-width:42rem;margin:auto}th{text-align:left;vertical-align:top}td{overflow-wrap:anywhere}';

/**
 * Writes a publication as a page that can be read, printed and verified. It loads nothing and runs nothing.
 * @example publicationPage(makePublication({ broker: { slug: 'a', name: 'A', entry: 1 }, rating: { date: '2026-11-23', value: 82.5, color: 'green', entry: 9 }, methodology: { version: '2026-1', sha256: '00', entry: 0 }, log: { origin: 'a.example/log', size: 10, keys: [] }, proofs: { rating: '', broker: '', methodology: '' } }, 'internal')).startsWith('<!doctype html>') // true
 */
export const publicationPage = (publication: Publication): string => {
  const { broker, rating, methodology, publisher, log, terms, citation } = publication;
  const score = rating.value === null ? 'Not rated' : `${rating.value} of 100`;
  const rows = [
    ['Broker', `${broker.name} (${broker.slug}), entry ${broker.entry}`],
    ['Time', `${rating.date}, 00:00 UTC, entry ${rating.entry}`],
    ['Methodology', `${methodology.version}, SHA-256 ${methodology.sha256}, entry ${methodology.entry}`],
    ['Publisher', publisher.host],
    ['Log', `${log.origin}, ${log.size} entries`],
    ...log.keys.map((key) => ['Key', key]),
    ['Citation', citation],
    ['Terms', terms.text],
  ].map(([name = '', value = '']) => `<tr><th scope="row">${name}</th><td>${escapeHtml(value)}</td></tr>\n`);
  const title = `${escapeHtml(broker.name)}: ${score}, ${escapeHtml(rating.color)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}, ${rating.date}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(broker.name)}</h1>
<p>${score}, ${escapeHtml(rating.color)}</p>
<table>
${rows.join('')}</table>
<p>This file proves what it says: run broker-transparency verify, or drop it on the page ${escapeHtml(publisher.host)}/verify.</p>
${OPENING}${formatPublication(publication).replaceAll('<', '\\u003c')}${CLOSING}
</body>
</html>
`;
};

/**
 * Returns the JSON text in a publication, which is the file itself or part of a page; undefined if it is neither.
 * @example publicationText('{}') // '{}'
 */
export const publicationText = (file: string): string | undefined => {
  if (/^\s*\{/.test(file)) return file;
  const from = file.indexOf(OPENING);
  const to = file.indexOf(CLOSING, from);
  return from < 0 || to < 0 ? undefined : file.slice(from + OPENING.length, to);
};
