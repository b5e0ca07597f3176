import { expect, test } from 'vitest';
import { mailTemplates } from '../../assets.ts';
import { NOTICE_LANGUAGES } from '../notices/languages.rule.ts';
import { readTexts } from '../notices/templates.ts';
import { ENDINGS } from './policy.rule.ts';

test.each(NOTICE_LANGUAGES)('mails in %s have words for every way in which a complaint can end', (language) => {
  const { words } = readTexts(mailTemplates, 'complaint.resolved', language);
  expect(Object.keys(words.endings).sort()).toEqual([...new Set<string>(ENDINGS)].sort());
});
