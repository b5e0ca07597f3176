export { check, locale, score } from '../generated/de.ts';
