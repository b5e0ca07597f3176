import { auditReasons } from './audit-reasons.ts';
import { brokerAnswers } from './broker-answers.ts';
import { formerIndexes } from './indexes.ts';
import type { Migration } from './migration.ts';
import { newsOrigins } from './news-origins.ts';
import { personBlocks } from './person-blocks.ts';
import { record } from './record.ts';
import { statements } from './statements.ts';

/** Every migration in order. Append new ones. */
export const MIGRATIONS: readonly Migration[] = [
  formerIndexes,
  auditReasons,
  brokerAnswers,
  newsOrigins,
  personBlocks,
  statements,
  record,
];
export const LATEST = MIGRATIONS.length;
