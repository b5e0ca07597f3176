export { check, locale, score } from '../generated/en.ts';
