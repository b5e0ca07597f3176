export * from './decide.ts';
export * from './domains.ts';
export * from './find.ts';
export * from './firm.ts';
export * from './identifiers.ts';
export * from './names.ts';
export * from './term-index.ts';
export * from './text.ts';
