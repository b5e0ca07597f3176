/* The stored record. Only this folder knows its form. */
export type {
  Batch,
  Head,
  NumberedEntry,
  NumberingState,
  SaltedText,
  StoredEntry,
  StoredPlace,
  StoredTexts,
} from './store/collections.ts';
export { readHead } from './store/collections.ts';
export * from './store/days.ts';
export * from './store/entries.ts';
export * from './store/keys.ts';
export * from './store/numbering.ts';
