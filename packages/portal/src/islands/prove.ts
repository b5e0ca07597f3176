import { createCheckContext, type FormContext, fetchResponse, readPageScore, showVerdict } from '../browser/place.ts';
import { renderOutcome } from '../score/check.ts';
import { checkProof, proofView, toKeysAddress, toPolicy } from '../score/proof.ts';

/** Verifies the proof of the newest score in the log, by the reader's key or by the service's published keys. */
export const run = async (place: FormContext): Promise<void> => {
  const { form, texts } = place;
  const slug = form.dataset['slug'] as string;
  const answer = await fetchResponse(place, `/transparency/v1/brokers/${slug}/proof`);
  if (!answer) return;
  if (answer.status === 404) {
    const none = renderOutcome('unsure', texts.check.noProof, texts.check.noProofMeans);
    showVerdict(place, { verdict: [none], details: [] });
    return;
  }
  const { proof } = (await answer.json()) as { proof: string };
  const own = String(new FormData(form).get('key') ?? '').trim();
  const keys = own === '' ? await fetchResponse(place, toKeysAddress(proof)) : undefined;
  if (own === '' && !keys) return;
  const policy = toPolicy(keys ? await keys.text() : own);
  const former = (form.dataset['former'] ?? '').split(' ');
  const proven = await checkProof({ proof, policy, isOwnKey: own !== '', slug, former });
  showVerdict(place, proofView(createCheckContext(place), proven, readPageScore(place)));
};
