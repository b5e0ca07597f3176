export { check, locale, score } from '../generated/es.ts';
