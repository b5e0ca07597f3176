import { readFileSync } from 'node:fs';
import type { Texts, Words } from './compose.rule.ts';
import type { NoticeKind } from './kinds.rule.ts';
import type { NoticeLanguage } from './languages.rule.ts';

const known = new Map<string, Texts>();

/** Returns the texts of a kind in a language: files of `data/mail`, which are read once. */
export const textsOf = (folder: URL, kind: NoticeKind, language: NoticeLanguage): Texts => {
  const name = `${language}/${kind}`;
  const found = known.get(name);
  if (found) return found;
  const read = (file: string): string => readFileSync(new URL(`${language}/${file}`, folder), 'utf8');
  const texts = {
    template: read(`${kind}.txt`),
    frame: read('frame.txt'),
    words: JSON.parse(read('words.json')) as Words,
  };
  known.set(name, texts);
  return texts;
};
