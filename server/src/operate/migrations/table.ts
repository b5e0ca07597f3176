import type { Migration } from './migration.ts';

/** Every migration in order. Append new ones. */
export const MIGRATIONS: readonly Migration[] = [];
