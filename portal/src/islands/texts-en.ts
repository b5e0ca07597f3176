export { check, live, score } from '../texts/en/prove.ts';
