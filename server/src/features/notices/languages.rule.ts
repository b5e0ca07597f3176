import { MAIL_LANGUAGES } from '@broker-transparency/contract';

/** Languages that there are templates in. The first is used where none fits. */
export const NOTICE_LANGUAGES = MAIL_LANGUAGES;
export type NoticeLanguage = (typeof NOTICE_LANGUAGES)[number];

const known = (tag: string): NoticeLanguage | undefined => {
  const [primary = ''] = tag.trim().toLowerCase().split(/[-_]/, 1);
  return NOTICE_LANGUAGES.find((language) => language === primary);
};

/** Longer headers are not read. */
const MOST_LENGTH = 500;

/** Returns the language that an `Accept-Language` header wants most of those that there are; undefined: none. */
export const preferredLanguage = (header: string | undefined): NoticeLanguage | undefined => {
  if (header === undefined || header.length > MOST_LENGTH) return undefined;
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';');
    const quality = parameters.map((one) => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/.exec(one)?.[1]).find(Boolean) ?? '1';
    return { language: known(tag), quality: Number(quality) };
  });
  return wanted
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .find(({ language }) => language)?.language;
};
