import { type Place, pageAt, read, show, shownAt } from '../browser/place.ts';
import { type Answer, checkRating, checkView, outcome } from '../score/check.ts';

/** Recomputes the rating of a page from the published answer, and shows whether they are equal. */
export const run = async (place: Place): Promise<void> => {
  const answer = await read(place, `/api/v1/brokers/${place.form.dataset['slug']}`);
  if (!answer) return;
  // The broker has another address since the page was made, or none: nothing is wrong with its rating.
  if (answer.status === 404) {
    show(place, { verdict: [outcome('unsure', place.texts.check.refused('404'))], details: [] });
    return;
  }
  const checked = checkRating((await answer.json()) as Answer);
  show(place, checkView(shownAt(place), checked, pageAt(place)));
};
