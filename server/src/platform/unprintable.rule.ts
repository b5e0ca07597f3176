/**
 * Signs that stored text must not bring before people: controls, ends of lines and paragraphs, and marks that turn the
 * direction of the text beside them.
 */
export const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
