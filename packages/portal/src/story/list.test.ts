import { expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import type { PageContext } from '../page.ts';
import type { StoryEvent } from './events.rule.ts';
import { storyList } from './list.ts';

const [english, german] = LANGUAGES;
const EIGHT = ['DE', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE', 'AT'];

const render = (language: typeof english, event: Omit<StoryEvent, 'keys'>): string => {
  const context = { ...language, query: '' } as Partial<PageContext> as PageContext;
  const step = { number: 1, time: '2026-11-20T00:00:00.000Z', cause: 'fact', entries: [], value: 50, color: 'yellow' };
  const item = { step, events: [{ ...event, keys: [] }], fall: undefined };
  return storyList(context, 'alpha', [item as never])
    .text.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
};
const alpha = { kind: 'company', subject: 'Alpha Ltd' } as const;

test.each<[Omit<StoryEvent, 'keys'>, string, string]>([
  [
    { ...alpha, effect: 'added', countries: ['DE', 'FR'] },
    'Clients from these countries sign with Alpha Ltd : Germany and France',
    'Kunden aus diesen Ländern schließen ab mit Alpha Ltd : Deutschland und Frankreich',
  ],
  [
    { ...alpha, effect: 'removed', countries: EIGHT },
    'No source says any more that clients from these countries sign with Alpha Ltd : Germany, France, Italy, Spain, Portugal and Netherlands and 2 more',
    'Keine Quelle sagt mehr, dass Kunden aus diesen Ländern abschließen mit Alpha Ltd : Deutschland',
  ],
  [
    { ...alpha, effect: 'changed', to: 'no_retail' },
    'Takes no private clients any more: Alpha Ltd',
    'Nimmt keine Privatkunden mehr an: Alpha Ltd',
  ],
  [{ ...alpha, effect: 'added' }, 'New legal entity: Alpha Ltd', 'Neue Gesellschaft: Alpha Ltd'],
])('a story names the company of %j', (event, inEnglish, inGerman) => {
  expect(render(english, event)).toContain(inEnglish);
  expect(render(german as typeof english, event)).toContain(inGerman);
});
