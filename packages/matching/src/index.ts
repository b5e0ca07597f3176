export * from './decide.ts';
export * from './domains.ts';
export * from './find.ts';
export * from './firm.ts';
export * from './identifiers.ts';
export * from './names.ts';
export * from './shared.ts';
export * from './text.ts';
