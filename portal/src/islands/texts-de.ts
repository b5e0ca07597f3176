export { check, live, score } from '../texts/de/prove.ts';
