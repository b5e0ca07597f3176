import { type Place, pageAt, read, show, shownAt } from '../browser/place.ts';
import { outcome } from '../score/check.ts';
import { checkProof, keysAddress, policyFrom, proofView } from '../score/proof.ts';

/** Verifies the proof of the newest score in the log, by the key of the reader or by those that the service names. */
export const run = async (place: Place): Promise<void> => {
  const { form, texts } = place;
  const slug = form.dataset['slug'] as string;
  const answer = await read(place, `/transparency/v1/brokers/${slug}/proof`);
  if (!answer) return;
  if (answer.status === 404) {
    const none = outcome('unsure', texts.check.noProof, texts.check.noProofMeans);
    show(place, { verdict: [none], details: [] });
    return;
  }
  const { proof } = (await answer.json()) as { proof: string };
  const own = String(new FormData(form).get('key') ?? '').trim();
  const keys = own === '' ? await read(place, keysAddress(proof)) : undefined;
  if (own === '' && !keys) return;
  const policy = policyFrom(keys ? await keys.text() : own);
  const former = (form.dataset['former'] ?? '').split(' ');
  const proven = await checkProof({ proof, policy, isOwnKey: own !== '', slug, former });
  show(place, proofView(shownAt(place), proven, pageAt(place)));
};
