import { readFileSync } from 'node:fs';
import type { NoticeTexts, NoticeWords } from './compose.rule.ts';
import type { NoticeKind } from './kinds.rule.ts';
import type { NoticeLanguage } from './languages.rule.ts';

/** Texts of the package, read once for all services of the process: they never change. */
const known = new Map<string, NoticeTexts>();

/** Returns the texts of a kind in a language: files of `data/mail`, which are read once. */
export const readTexts = (folder: URL, kind: NoticeKind, language: NoticeLanguage): NoticeTexts => {
  const template = new URL(`${language}/${kind}.txt`, folder);
  const found = known.get(template.href);
  if (found) return found;
  const read = (file: string): string => readFileSync(new URL(file, template), 'utf8');
  const texts = {
    template: read(`${kind}.txt`),
    frame: read('frame.txt'),
    words: JSON.parse(read('words.json')) as NoticeWords,
  };
  known.set(template.href, texts);
  return texts;
};
