/** Returns the text for a key of the API; undefined if there is none. */
export const findWord = (
  words: Readonly<Record<string, string | undefined>>,
  key: string | number,
): string | undefined => (Object.hasOwn(words, key) ? words[key] : undefined);

/** Returns the text for a key of the API, or the key itself: later releases know more of them. */
export const wordFor = (words: Readonly<Record<string, string | undefined>>, key: string | number): string =>
  findWord(words, key) ?? String(key);
