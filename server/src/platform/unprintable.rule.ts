/**
 * Characters that stored text must not show to people: controls, line and paragraph separators, and marks that change
 * the direction of text.
 */
export const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
