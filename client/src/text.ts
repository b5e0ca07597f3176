/** A text of at most so many characters: what others wrote may be of any length. */
export const bounded = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
