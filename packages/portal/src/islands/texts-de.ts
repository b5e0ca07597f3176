export { check, score } from '../texts/de/prove.ts';
