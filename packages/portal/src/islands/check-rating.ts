import { createCheckContext, type FormContext, fetchResponse, readPageScore, showVerdict } from '../browser/place.ts';
import { checkRating, checkView, type PublishedAnswer, renderOutcome } from '../score/check.ts';

/** Recomputes the rating of a page from the published answer, and shows whether they are equal. */
export const run = async (place: FormContext): Promise<void> => {
  const answer = await fetchResponse(place, `/api/v1/brokers/${place.form.dataset['slug']}`);
  if (!answer) return;
  // The broker was renamed or removed since the page was made: its rating is not wrong.
  if (answer.status === 404) {
    showVerdict(place, {
      verdict: [renderOutcome('unsure', place.texts.check.refused({ status: '404' }))],
      details: [],
    });
    return;
  }
  const checked = checkRating((await answer.json()) as PublishedAnswer);
  showVerdict(place, checkView(createCheckContext(place), checked, readPageScore(place)));
};
