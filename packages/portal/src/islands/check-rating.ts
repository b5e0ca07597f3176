import { createCheckContext, type FormContext, fetchResponse, readPageScore, showVerdict } from '../browser/place.ts';
import { checkRating, checkView, type PublishedAnswer, renderOutcome } from '../score/check.ts';

/** Recomputes the rating of a page from the published answer, and shows whether they are equal. */
export const run = async (place: FormContext): Promise<void> => {
  const answer = await fetchResponse(place, `/api/v1/brokers/${place.form.dataset['slug']}`);
  if (!answer) return;
  // The broker has another address since the page was made, or none: nothing is wrong with its rating.
  if (answer.status === 404) {
    showVerdict(place, { verdict: [renderOutcome('unsure', place.texts.check.refused('404'))], details: [] });
    return;
  }
  const checked = checkRating((await answer.json()) as PublishedAnswer);
  showVerdict(place, checkView(createCheckContext(place), checked, readPageScore(place)));
};
