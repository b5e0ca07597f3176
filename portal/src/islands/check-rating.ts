import { type Place, pageAt, read, show, shownAt } from '../browser/place.ts';
import { type Answer, checkRating, checkView } from '../score/check.ts';

/** Recomputes the rating of a page from the published answer, and shows whether they are equal. */
export const run = async (place: Place): Promise<void> => {
  const answer = await read(place, `/api/v1/brokers/${place.form.dataset['slug']}`);
  if (!answer) return;
  const checked = checkRating((await answer.json()) as Answer);
  show(place, checkView(shownAt(place), checked, pageAt(place)));
};
