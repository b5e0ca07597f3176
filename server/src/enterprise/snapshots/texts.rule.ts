/** Texts by field, with the random bytes of their commitments. */
type SaltedTexts = Readonly<Record<string, { readonly salt: string; readonly text: string }>>;

const BEFORE_KEY = '{"key":"';

/** Returns the key of a line of texts. It begins the line, and has no character that JSON would escape. */
export const parseLineKey = (line: string): string =>
  line.slice(BEFORE_KEY.length, line.indexOf('"', BEFORE_KEY.length));

/** Returns the texts that are still public and unchanged. */
export const filterPublic = (texts: SaltedTexts, current: SaltedTexts): SaltedTexts =>
  Object.fromEntries(
    Object.entries(texts).filter(
      ([field, { salt, text }]) => current[field]?.salt === salt && current[field]?.text === text,
    ),
  );
