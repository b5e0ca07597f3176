export { check, score } from '../texts/en/prove.ts';
