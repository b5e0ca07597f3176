import { type CheckShown, outcome, type PageScore, type Verdict } from '../score/check.ts';
import { shownIn } from '../score/view.ts';
import type * as texts from '../texts/en/prove.ts';
import { toDom } from './dom.ts';

/** Where a script that is loaded on demand works: the form that asked for it, and the texts of its language. */
export interface Place {
  readonly form: HTMLFormElement;
  readonly texts: Pick<typeof texts, 'score' | 'check'>;
}

const partOf = (form: HTMLFormElement, name: string): HTMLElement =>
  (form.parentElement as HTMLElement).querySelector(`[data-part="${name}"]`) as HTMLElement;

/** Shows a verdict, which is announced, and below it what it follows from. */
export const show = ({ form }: Place, { verdict, details }: Verdict): void => {
  partOf(form, 'verdict').replaceChildren(...verdict.map(toDom));
  partOf(form, 'details').replaceChildren(...details.map(toDom));
};

export const shownAt = ({ texts }: Place): CheckShown => ({ ...shownIn(texts.score), check: texts.check });

/** What the page around the form says of the rating. */
export const pageAt = ({ form }: Place): PageScore => ({
  value: JSON.parse(form.dataset['value'] ?? 'null') as number | null,
  computedAt: form.dataset['computedAt'] ?? '',
});

/** An answer of the service, or undefined once the reader was told what is wrong. */
export const read = async (place: Place, address: string): Promise<Response | undefined> => {
  const { check } = place.texts;
  const tell = (text: string): undefined =>
    show(place, { verdict: [outcome('unsure', text)], details: [] }) as undefined;
  const answer = await fetch(address, { credentials: 'omit' }).catch(() => undefined);
  if (!answer) return tell(check.offline);
  if (answer.status === 429) return tell(check.tooMany);
  if (answer.ok || answer.status === 404) return answer;
  return tell(check.refused(String(answer.status)));
};
