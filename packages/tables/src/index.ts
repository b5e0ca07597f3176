export { MAX_ROW } from './csv.ts';
export { type DetectedEncoding, isEncoding } from './encoding.ts';
export { readChunks } from './file-chunks.ts';
export * from './read-table.ts';
export * from './rules.ts';
export * from './sheet.ts';
