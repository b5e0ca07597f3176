/** Cuts a text to `most` characters. Text from others may have any length. */
export const bounded = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
