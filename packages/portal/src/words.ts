/** Returns the text for a key of the API, or the key itself: later releases know more of them. */
export const wordFor = (words: Readonly<Record<string, string | undefined>>, key: string | number): string =>
  (Object.hasOwn(words, key) ? words[key] : undefined) ?? String(key);
