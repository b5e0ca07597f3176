import type * as texts from '../generated/en.ts';
import { type CheckContext, type CheckVerdict, type PageScore, renderOutcome } from '../score/check.ts';
import { createViewContext } from '../score/view.ts';
import { toDom } from './dom.ts';

/** Environment of a script that is loaded on demand: its form, and the texts of its language. */
export interface FormContext {
  readonly form: HTMLFormElement;
  readonly texts: Pick<typeof texts, 'score' | 'check' | 'locale'>;
}

const findPart = (form: HTMLFormElement, name: string): HTMLElement =>
  (form.parentElement as HTMLElement).querySelector(`[data-part="${name}"]`) as HTMLElement;

/** Shows and announces a verdict, with its reasons below. */
export const showVerdict = ({ form }: FormContext, { verdict, details }: CheckVerdict): void => {
  findPart(form, 'verdict').replaceChildren(...verdict.map(toDom));
  findPart(form, 'details').replaceChildren(...details.map(toDom));
};

export const createCheckContext = ({ texts }: FormContext): CheckContext => ({
  ...createViewContext(texts),
  check: texts.check,
});

/** Returns the rating that the page around the form shows. */
export const readPageScore = ({ form }: FormContext): PageScore => ({
  value: JSON.parse(form.dataset['value'] ?? 'null') as number | null,
  computedAt: form.dataset['computedAt'] ?? '',
});

/** Returns an answer of the service; undefined after the reader was told of a fault. */
export const fetchResponse = async (place: FormContext, address: string): Promise<Response | undefined> => {
  const { check } = place.texts;
  const showProblem = (text: string): undefined =>
    showVerdict(place, { verdict: [renderOutcome('unsure', text)], details: [] }) as undefined;
  const answer = await fetch(address, { credentials: 'omit' }).catch(() => undefined);
  if (!answer) return showProblem(check.offline);
  if (answer.status === 429) return showProblem(check.tooMany);
  if (answer.ok || answer.status === 404) return answer;
  return showProblem(check.refused({ status: String(answer.status) }));
};
