/* The script of the page that verifies files. It asks nobody: keys come from the reader, the file from the reader's disk. */
import {
  type VerifiedProof,
  type VerifiedPublication,
  VerifyError,
  verifyProof,
  verifyPublication,
  verifyReview,
  verifyStatement,
} from '@broker-transparency/client/verify';
import { find, toDom } from '../browser/dom.ts';
import { type Child, element } from '../elements.ts';
import { verify as german } from '../generated/de.ts';
import { verify as english } from '../generated/en.ts';
import { verify as spanish } from '../generated/es.ts';
import { toPolicy } from '../score/proof.ts';

const TEXTS: Readonly<Record<string, typeof english>> = { de: german, es: spanish };
const said = TEXTS[document.documentElement.lang] ?? english;

/** A file that the page can check. */
interface ReadFile {
  readonly kind: 'proof' | 'review' | 'statement' | 'publication';
  /** Text of a proof, for finding the policy of its log. */
  readonly proof?: string;
  /** Keys that a publication names itself. They show that it is whole, and not who made it. */
  readonly keys?: string;
}

type Row = readonly [name: string, value: Child];

const parse = (json: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
};

const PUBLICATION = 'id="publication">';
/** Returns the JSON of a publication that is a page; an empty text where a page has none. */
const cutPublication = (page: string): string => {
  const at = page.indexOf(PUBLICATION);
  const end = page.indexOf('</script>', at);
  return at < 0 || end < 0 ? '' : page.slice(at + PUBLICATION.length, end);
};

/** Reads a file of any kind. Returns undefined for a file that no service makes. */
const readFile = (text: string): ReadFile | undefined => {
  if (text.startsWith('c2sp.org/tlog-proof')) return { kind: 'proof', proof: text };
  const isJson = /^\s*\{/.test(text);
  const content = parse(isJson ? text : cutPublication(text));
  if (content['format']) {
    const { keys = [] } = (content['log'] ?? {}) as { readonly keys?: readonly string[] };
    return { kind: 'publication', keys: keys.join('\n') };
  }
  if (!isJson || !(content['texts'] || content['statement'])) return undefined;
  return { kind: content['statement'] ? 'statement' : 'review', proof: String(content['proof']) };
};

/** Returns the address of the policy of the log that a proof names: its origin is the first line of its checkpoint. */
const findPolicyAddress = (proof: string): string | undefined => {
  const [, origin] = /\n\n([^\s/]+\/\S+)\n/.exec(proof) ?? [];
  if (origin === undefined) return undefined;
  const [host] = origin.split('/');
  return `${host === location.host ? location.protocol : 'https:'}//${origin}/policy`;
};

/** Says where to find keys for a file that names none. */
const askForKeys = ({ keys, proof = '' }: ReadFile, isOwn: boolean): string | undefined => {
  if (isOwn && keys) return undefined;
  const address = findPolicyAddress(proof);
  return [isOwn && said.noOwnKeys, said.needKeys, address !== undefined && said.findKeys({ address })]
    .filter(Boolean)
    .join(' ');
};

/** Renders what programs read, folded away. */
const fold = (text: string): Child =>
  element('details', {}, element('summary', {}, said.asLogged), element('code', {}, text));

const show = (kind: 'good' | 'bad' | 'unsure', title: string, rows: readonly Row[]): void => {
  const result = find('result');
  result.className = `outcome ${kind}`;
  const body = rows.map(([name, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value)),
  );
  result.replaceChildren(...[element('h2', {}, title), element('table', {}, element('tbody', {}, body))].map(toDom));
};

const listPublication = ({ publication }: VerifiedPublication): Row[] => {
  const { broker, rating, methodology, citation, terms, log } = publication;
  return [
    [said.broker, `${broker.name} (${broker.slug})`],
    [
      said.rating,
      `${rating.value === null ? said.notRated : said.of100({ value: String(rating.value) })}, ${rating.color}`,
    ],
    [said.time, `${rating.date}, 00:00 UTC`],
    [said.methodology, `${methodology.version}, SHA-256 ${methodology.sha256}`],
    [said.log, log.origin],
    [said.citation, citation],
    [said.terms, terms.text],
  ];
};

const listProof = ({ entry, score, origin, index, size }: VerifiedProof): Row[] => [
  ...(score
    ? [
        [
          said.rating,
          `${said.on({ slug: score.slug, date: score.date })}: ${score.value ?? said.notRated}, ${score.color}`,
        ] as const,
      ]
    : []),
  [said.log, said.entryOf({ origin, index: String(index), size: String(size) })],
  [said.entry, fold(JSON.stringify(entry))],
];

/** Verifies a file. Returns its level and what it shows; what its reader wants to show stands first. */
const verify = async (kind: ReadFile['kind'], text: string, policy: string) => {
  if (kind === 'publication') {
    const verified = await verifyPublication(text, { policy });
    return { level: verified.level, rows: listPublication(verified) };
  }
  if (kind === 'review') {
    const verified = await verifyReview(text, { policy });
    const words = Object.entries(verified.texts).map(([field, words]): Row => [said.published({ field }), words]);
    return { level: verified.level, rows: [...words, ...listProof(verified)] };
  }
  if (kind === 'statement') {
    const verified = await verifyStatement(text, { policy });
    const reasons = Object.entries(verified.statement).map(([field, value]): Row => [field, String(value)]);
    const { reviewId, decision, level } = verified;
    return {
      level,
      rows: [[said.review, reviewId] as const, [said.decision, decision] as const, ...reasons, ...listProof(verified)],
    };
  }
  const verified = await verifyProof(text, policy);
  return { level: verified.level, rows: listProof(verified) };
};

const check = async (file: string, text: string): Promise<void> => {
  const given = readFile(text);
  if (!given) throw new Error(said.unreadable);
  const isOwn = find<HTMLInputElement>('own').checked;
  const policy = toPolicy(isOwn ? (given.keys ?? '') : find<HTMLTextAreaElement>('keys').value);
  const missing = /^log /m.test(policy) ? undefined : askForKeys(given, isOwn);
  if (missing) throw new Error(missing);
  const { level, rows } = await verify(given.kind, text, policy);
  const first: Row = isOwn ? [said.notShown, said.ownKeys] : [said.shown, said.levels[level]];
  show(isOwn ? 'unsure' : 'good', isOwn ? said.whole({ file }) : said.verified({ file }), [first, ...rows]);
};

const open = async (file: File | undefined): Promise<void> => {
  if (!file) return;
  try {
    await check(file.name, await file.text());
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof VerifyError) show('bad', said.notVerified({ file: file.name }), [[error.code, message]]);
    else show('bad', file.name, [[said.problem, message]]);
  }
};

find<HTMLInputElement>('file').addEventListener('change', ({ target }) =>
  open((target as HTMLInputElement).files?.[0]),
);
for (const name of ['dragenter', 'dragover', 'drop'] as const)
  document.addEventListener(name, (event) => {
    event.preventDefault();
    if (name === 'drop') void open(event.dataTransfer?.files[0]);
  });

// From a disk there is no site to go to. The footer follows this script.
if (location.protocol === 'file:')
  document.addEventListener('DOMContentLoaded', () => {
    for (const each of document.querySelectorAll('header, footer, .skip')) each.remove();
  });
