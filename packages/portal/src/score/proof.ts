import { type VerifiedProof, VerifyError, verifyProof } from '@broker-transparency/client/verify';
import { parseProof } from '@broker-transparency/log';
import { type Child, element as e } from '../elements.ts';
import { wordFor } from '../words.ts';
import { type CheckContext, type CheckVerdict, type PageScore, renderOutcome } from './check.ts';

/** Returns a policy from the reader's text: a policy unchanged, or keys, one per line, without witnesses. */
export const toPolicy = (text: string): string => {
  if (text.split('\n').some((line) => /^\s*quorum\s/.test(line))) return text.trim() === '' ? text : `${text.trim()}\n`;
  const keys = text.split('\n').map((line) => line.trim());
  return [...keys.filter((key) => key !== '').map((key) => `log ${key}`), 'quorum none', ''].join('\n');
};

/**
 * Returns the address at which the proof's service publishes the keys of its log. @throws Error if the text is no proof
 */
export const toKeysAddress = (proof: string): string => {
  const name = parseProof(proof).tree.origin.split('/').at(-1) ?? '';
  return `/transparency/v1/log/${encodeURIComponent(name)}/keys`;
};

/** A proof, and the keys to verify it. */
export interface ProofInput {
  readonly proof: string;
  readonly policy: string;
  /** True if the reader provided the key, and not the service. */
  readonly isOwnKey: boolean;
  /** The broker that the proof has to be about. */
  readonly slug: string;
  /** Former names of the broker: proofs of a day before it was renamed contain one of them. */
  readonly former: readonly string[];
}

/** The proven facts, or the reason why the proof fails. */
export type ProofResult =
  | { readonly verified: VerifiedProof; readonly keys: readonly string[]; readonly given: ProofInput }
  | { readonly code: string; readonly message: string };

/** Returns the keys of a policy that have signed the checkpoint of a proof. */
const signingKeys = ({ proof, policy }: ProofInput): string[] => {
  const ids = parseProof(proof).note.signatures.map(({ keyId }) => keyId.toString(16).padStart(8, '0'));
  return policy
    .split('\n')
    .flatMap((line) => /^\s*log\s+(\S+)/.exec(line)?.[1] ?? [])
    .filter((key) => ids.some((id) => key.includes(`+${id}+`)));
};

/** Verifies a proof without a request. */
export const checkProof = async (given: ProofInput): Promise<ProofResult> => {
  try {
    return { verified: await verifyProof(given.proof, given.policy), keys: signingKeys(given), given };
  } catch (error) {
    const code = error instanceof VerifyError ? error.code : 'malformed';
    return { code, message: (error as Error).message };
  }
};

const renderFailure = ({ check }: CheckContext, code: string, message: string): CheckVerdict => {
  if (code === 'unsupported') return { verdict: [renderOutcome('unsure', check.unsupported)], details: [] };
  if (code === 'invalid_policy') return { verdict: [renderOutcome('unsure', check.badKey, message)], details: [] };
  return { verdict: [renderOutcome('bad', check.refuted, message, check.report)], details: [] };
};

type FactRow = readonly [name: string, ...values: readonly Child[]];

const valueText = ({ format }: CheckContext, value: number | null): string =>
  value === null ? '–' : format.fixed(value, 1);

/** Returns the proven score, with its day. */
const provenText = (shown: CheckContext, { date, value, color }: NonNullable<VerifiedProof['score']>): string => {
  const { check, texts, format } = shown;
  return check.scoreOf({ date: format.day(date), value: valueText(shown, value), word: wordFor(texts.colors, color) });
};

const buildRows = (
  shown: CheckContext,
  { verified, keys }: Extract<ProofResult, { keys: unknown }>,
  page: PageScore,
): FactRow[] => {
  const { check, format } = shown;
  const { score, index, size, root, origin, witnesses } = verified;
  const witnessed =
    witnesses.required === 0
      ? check.noWitness
      : check.witnessed({ verified: format.number(witnesses.verified), known: format.number(witnesses.known) });
  const scored: FactRow[] = score
    ? [
        [check.facts.score, provenText(shown, score)],
        [check.facts.now, valueText(shown, page.value)],
      ]
    : [];
  return [
    ...scored,
    [check.facts.place, check.place({ index: format.number(index), size: format.number(size) })],
    [check.facts.log, e('code', {}, origin)],
    [check.facts.key, ...keys.map((key) => e('code', {}, key)), e('p', { class: 'soft' }, check.compareKey)],
    [check.facts.root, e('code', {}, root)],
    [check.facts.witnesses, witnessed],
  ];
};

/** Returns the subject of a proof in words: its score may be another one than the page's, and of a former day. */
const describeSubject = (shown: CheckContext, { score }: VerifiedProof, page: PageScore): string[] => {
  if (!score) return [];
  const about = shown.check.isAbout({ score: provenText(shown, score) });
  return page.value === score.value ? [about] : [about, shown.check.notSame];
};

/** Renders the result of a proof and its limits, in words. */
export const proofView = (shown: CheckContext, proven: ProofResult, page: PageScore): CheckVerdict => {
  const { check } = shown;
  if ('code' in proven) return renderFailure(shown, proven.code, proven.message);
  const { verified, given } = proven;
  const { slug } = verified.score ?? {};
  const isFormer = slug !== undefined && given.former.includes(slug);
  if (slug !== given.slug && !isFormer)
    return { verdict: [renderOutcome('bad', check.refuted, check.aboutOther({ slug: slug ?? '?' }))], details: [] };
  const lines = [
    check.levels[verified.level],
    ...describeSubject(shown, verified, page),
    ...(isFormer ? [check.aboutFormer({ slug })] : []),
  ];
  const verdict = given.isOwnKey
    ? renderOutcome('good', check.proven, ...lines)
    : renderOutcome('unsure', check.whole, ...lines);
  const missing = [
    ...(given.isOwnKey ? [] : [check.ownKeyMissing]),
    ...(verified.level === 'witnessed' ? [] : [check.witnessMissing]),
    check.notTruth,
  ];
  return {
    verdict: [verdict],
    details: [
      e('p', {}, e('strong', {}, check.shown)),
      e(
        'table',
        { class: 'proof-facts' },
        e(
          'tbody',
          {},
          buildRows(shown, proven, page).map(([name, ...values]) =>
            e('tr', {}, e('th', { scope: 'row' }, name), e('td', {}, values)),
          ),
        ),
      ),
      e('p', {}, e('strong', {}, check.notShown)),
      e(
        'ul',
        {},
        missing.map((text) => e('li', {}, text)),
      ),
    ],
  };
};
