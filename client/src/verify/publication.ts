import {
  formatPublication,
  makePublication,
  PUBLICATION_FORMAT,
  PUBLICATION_TERMS,
  type Publication,
  publicationPage,
  publicationText,
  type Republication,
} from '@broker-transparency/kernel';
import { checkSignatures, parseProof } from '@broker-transparency/log';
import type { PublicationFile } from '../generated/enterprise.ts';
import { VerifyError } from './error.ts';
import { createMismatchError, type Fields, parseFile, requireFields, requireText } from './file.ts';
import { ed25519 } from './platform.ts';
import { readPolicy } from './policy.ts';
import { type VerifiedProof, verifyProof } from './proof.ts';

/** A rating of a day that the log has, and what that follows from. */
export interface VerifiedPublication extends Omit<VerifiedProof, 'index' | 'entry' | 'score'> {
  /**
   * The contents of the file. Everything but `terms` follows from the proofs; the terms are one of the known texts, but
   * which one is not signed.
   */
  readonly publication: PublicationFile;
}

const abbreviateJson = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80);

const createDifference = (place: string, given: unknown, proven: unknown): VerifyError =>
  createMismatchError(
    `${place}: the file says ${abbreviateJson(given)}, and what it proves is ${abbreviateJson(proven)}`,
  );

/** Returns the first place where two values differ. */
const findDifference = (given: unknown, proven: unknown, path: string): VerifyError | undefined => {
  if (typeof proven !== 'object' || proven === null || typeof given !== 'object' || given === null)
    return given === proven ? undefined : createDifference(path, given, proven);
  for (const name of Object.keys({ ...proven, ...given })) {
    const own = (values: object): unknown => (Object.hasOwn(values, name) ? (values as Fields)[name] : undefined);
    const found = findDifference(own(given), own(proven), path === '' ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Verifies one of the proofs, and names it in the error. */
const verifyNamedProof = async (proofs: Fields, name: string, policy: string): Promise<VerifiedProof> => {
  const text = requireText(proofs[name], `proofs.${name}`);
  try {
    return await verifyProof(text, policy);
  } catch (error) {
    if (!(error instanceof VerifyError) || error.code === 'invalid_policy' || error.code === 'unsupported') throw error;
    throw new VerifyError(error.code, `proofs.${name}: ${error.message}`, { cause: error });
  }
};

interface EntryFields {
  readonly kind: unknown;
  readonly value?: Fields | null;
  readonly valueHash?: unknown;
}

/** Returns what a proof says about a kind, in the checkpoint of the rating and known before the day was scored. */
const requireEntry = (proof: VerifiedProof, kind: string, rating: VerifiedProof): EntryFields => {
  const entry = requireFields(proof.entry, kind) as unknown as EntryFields;
  const { through } = (rating.entry as { value: { through?: unknown } }).value;
  const isSame = proof.origin === rating.origin && proof.size === rating.size && proof.root === rating.root;
  if (entry.kind !== kind || !isSame || typeof through !== 'number' || proof.index >= through)
    throw createMismatchError(`proofs.${kind}: it is about something else than the rating`);
  return entry;
};

/** The keys that the file names must be those of the log that have signed its checkpoint. */
const checkKeys = async (log: Fields, { origin }: VerifiedProof, proof: string): Promise<readonly string[]> => {
  const keys = Array.isArray(log['keys']) ? log['keys'].map(String) : [];
  const named = await readPolicy([...keys.map((key) => `log ${key}`), 'quorum none'].join('\n')).catch((error) => {
    throw new VerifyError('malformed', `log.keys: ${(error as Error).message}`, { cause: error });
  });
  const { note } = parseProof(proof);
  const own = named.logs.map(({ key }) => key);
  const signed = await checkSignatures(note, own, ed25519);
  const others = note.signatures.filter(({ name }) => name === origin).length;
  const isRight = signed.length === others && own.length === others && signed.every((each) => each.isRight);
  if (!isRight || own.some(({ name }) => name !== origin))
    throw createMismatchError('log.keys: they are not those that have signed the checkpoint');
  return keys;
};

const requireBrokerName = ({ value, valueHash }: EntryFields, slug: string): string => {
  // an entry that is too long for the log has no value there; one of a broker that is gone has null, and names nobody
  const { name, slug: own } = value ?? (typeof valueHash === 'string' ? { name: slug, slug } : {});
  if (own !== slug || typeof name !== 'string')
    throw createMismatchError('proofs.broker: it is about something else than the rating');
  return name;
};

/** Builds the publication that the proofs of a file allow. */
const provePublication = async (given: Fields, policy: string) => {
  const part = (name: string): Fields => requireFields(given[name], name);
  const [proofs, log, terms] = [part('proofs'), part('log'), part('terms')];
  const rating = await verifyNamedProof(proofs, 'rating', policy);
  if (!rating.score) throw createMismatchError('proofs.rating: it proves no rating');
  const broker = await verifyNamedProof(proofs, 'broker', policy);
  const methodology = await verifyNamedProof(proofs, 'methodology', policy);
  const { slug, date, value, color } = rating.score;
  const rules = requireFields(requireEntry(methodology, 'methodology', rating).value, 'methodology');
  const republication = terms['republication'] as Republication;
  if (!Object.hasOwn(PUBLICATION_TERMS, republication))
    throw new VerifyError('malformed', `terms.republication: expected ${Object.keys(PUBLICATION_TERMS).join(' or ')}`);
  const facts = {
    broker: { slug, name: requireBrokerName(requireEntry(broker, 'broker', rating), slug), entry: broker.index },
    rating: { date, value, color, entry: rating.index },
    methodology: {
      version: rules['version'] as string,
      sha256: rules['sha256'] as string,
      entry: methodology.index,
    },
    log: {
      origin: rating.origin,
      size: rating.size,
      keys: await checkKeys(log, rating, proofs['rating'] as string),
    },
    proofs: {
      rating: proofs['rating'],
      broker: proofs['broker'],
      methodology: proofs['methodology'],
    } as Publication['proofs'],
  };
  return { rating, proven: makePublication(facts, republication) };
};

/** A mail or an editor may have changed how lines end. */
const normaliseNewlines = (file: string): string => file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

const checkWriting = (text: string, written: string): void => {
  const [lines, proven] = [text.split('\n'), written.split('\n')];
  if (lines.length < proven.length) lines.push('');
  const at = lines.findIndex((line, index) => line !== proven[index]);
  if (at >= 0) throw createDifference(`line ${at + 1}`, lines[at], proven[at]);
};

/**
 * Verifies a publication, as JSON or as a page, without any request: the log has this rating, name and methodology, and
 * the file has exactly the same.
 * @param file the text of the file
 * @param trust `policy`: a policy file (c2sp.org/tlog-policy) with every key of the log that you trust. An old file was
 *   signed by an old key, so name those too
 * @throws VerifyError whose `code` and message say what is wrong and where
 * @example
 * const { publication, level } = await verifyPublication(file, { policy: `log ${key}\nquorum none\n` });
 */
export const verifyPublication = async (
  file: string,
  { policy }: { readonly policy: string },
): Promise<VerifiedPublication> => {
  const text = normaliseNewlines(file);
  const json = publicationText(text);
  const given = parseFile(json ?? '');
  if (given['format'] !== PUBLICATION_FORMAT)
    throw new VerifyError(
      'malformed',
      `format: expected ${PUBLICATION_FORMAT}, not ${abbreviateJson(given['format'])}`,
    );
  const { rating, proven } = await provePublication(given, policy);
  const difference = findDifference(given, proven, '');
  if (difference) throw difference;
  checkWriting(text, (json === text ? formatPublication : publicationPage)(proven));
  const { index, entry, score, ...level } = rating;
  return { ...level, publication: proven as PublicationFile };
};
