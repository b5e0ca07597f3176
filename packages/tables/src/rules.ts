export * from './cell.rule.ts';
export * from './mapping.rule.ts';
export * from './row.rule.ts';
export * from './unreadable-file.ts';
