import { readdir, readFile } from 'node:fs/promises';
import { APPEAL_OUTCOMES, REASON_CODES, REPORT_OUTCOMES } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { mailTemplates } from '../../assets.ts';
import { composeMessage, listPlaceholders, PLACEHOLDERS } from './compose.rule.ts';
import { NOTICE_KINDS, NOTICES } from './kinds.rule.ts';
import { NOTICE_LANGUAGES } from './languages.rule.ts';
import { readTexts } from './templates.ts';

const EVERYTHING = {
  reference: 'C-7QK2M9XF4T',
  code: 'K7QM2-9XF4T',
  authority: 'fca',
  url: 'https://authority.example/1',
  title: 'Monday',
  text: 'All is well.',
  facts: 'The second sentence is about another firm.',
  reasonCode: 'off_topic',
  outcome: 'confirmed',
  ending: 'refunded',
  status: 'resolved',
  dueAt: '2027-03-01T00:00:00.000Z',
  finalAt: '2027-04-01T00:00:00.000Z',
  appealUntil: '2027-05-01T00:00:00.000Z',
  endsAt: '2027-06-01T00:00:00.000Z',
};
/** Outcomes of disputes of facts, and of replies to reviews. */
const ANSWER_OUTCOMES = ['upheld', 'rejected', 'published', 'declined', 'occasion_gone'];
const about = {
  broker: 'Alpha',
  link: 'https://ratings.example/1',
  stop: 'https://ratings.example/stop',
  manage: 'https://ratings.example/mine',
  changes: [{ name: 'Alpha', link: 'https://ratings.example/2', kinds: ['license', 'review'] }],
};
const cases = NOTICE_LANGUAGES.flatMap((language) => NOTICE_KINDS.map((kind) => ({ language, kind })));

describe.each(cases)('$language/$kind', ({ language, kind }) => {
  const texts = readTexts(mailTemplates, kind, language);

  test('uses names that there are, and fills all of them', () => {
    expect(PLACEHOLDERS).toEqual(expect.arrayContaining(listPlaceholders(texts.template)));
    const { subject, text } = composeMessage(texts, { language, data: EVERYTHING, ...about });
    expect(subject.length).toBeGreaterThan(4);
    expect(text.length).toBeGreaterThan(40);
    expect(`${subject}${text}`).not.toMatch(/\{\{|\}\}|undefined|\n{3}/);
  });

  test('says what matters even where nothing but its own facts are known', () => {
    const { text } = composeMessage(texts, {
      language,
      data: { ...EVERYTHING, facts: undefined, url: undefined },
      broker: 'Alpha',
    });
    expect(text.split('\n\n')[0]).not.toMatch(/^(Reference|Aktenzeichen|--)/);
    const hasCode = NOTICES[kind].confirms === true && !['follower', 'visitor'].includes(NOTICES[kind].to); // theirs is in the link
    expect(hasCode).toBe(text.includes(EVERYTHING.code));
  });
});

test.each(NOTICE_LANGUAGES)('%s has a word for every code, and no file too many', async (language) => {
  const { words } = readTexts(mailTemplates, 'review.received', language);
  expect(Object.keys(words.reasons).sort()).toEqual([...REASON_CODES].sort());
  expect(Object.keys(words.outcomes).sort()).toEqual(
    [...new Set<string>([...APPEAL_OUTCOMES, ...REPORT_OUTCOMES, ...ANSWER_OUTCOMES])].sort(),
  );
  const files = await readdir(new URL(`${language}/`, mailTemplates));
  expect(files.sort()).toEqual([...NOTICE_KINDS.map((kind) => `${kind}.txt`), 'frame.txt', 'words.json'].sort());
  for (const file of files)
    expect(await readFile(new URL(`${language}/${file}`, mailTemplates), 'utf8'), file).not.toContain('\r');
});

test('a name with a line break cannot add a header, and is no template itself', () => {
  const texts = readTexts(mailTemplates, 'review.published', 'en');
  const { subject, text } = composeMessage(texts, {
    language: 'en',
    data: { reference: '{{stop}}' },
    ...about,
    broker: 'Alpha\r\nBcc: victim@mail.example\u202E',
  });
  expect(subject).toBe('Your review of Alpha Bcc: victim@mail.example is published');
  expect(text).toContain('Reference: {{stop}}');
});

test('a statement of reasons that says no more than its code is not repeated', () => {
  const texts = readTexts(mailTemplates, 'review.rejected', 'de');
  const facts = 'It is about something else than this broker.';
  const { text } = composeMessage(texts, { language: 'de', data: { ...EVERYTHING, facts }, ...about });
  expect(text).toContain('Sie handelt von etwas anderem als diesem Broker.');
  expect(text).not.toContain(facts);
});
