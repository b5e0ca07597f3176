import type { Module } from '../ledger/define-module.ts';
import { accountsModule } from './accounts/module.ts';
import { brokersModule } from './brokers/module.ts';
import { complaintsModule } from './complaints/module.ts';
import { followModule } from './follow/module.ts';
import { incidentsModule } from './incidents/module.ts';
import { moderationModule } from './moderation/module.ts';
import { newsModule } from './news/module.ts';
import { noticesModule } from './notices/module.ts';
import { operatorsModule } from './operators/module.ts';
import { peopleModule } from './people/module.ts';
import { registersModule } from './registers/module.ts';
import { regulatorsModule } from './regulators/module.ts';
import { reviewsModule } from './reviews/module.ts';
import { serviceLevelModule } from './service-level/module.ts';
import { transparencyModule } from './transparency/module.ts';
import { warningsModule } from './warnings/module.ts';

/** The features, each after those that it needs. */
export const FEATURE_MODULES: readonly Module[] = [
  brokersModule,
  noticesModule,
  accountsModule,
  operatorsModule,
  regulatorsModule,
  registersModule,
  transparencyModule,
  reviewsModule,
  complaintsModule,
  newsModule,
  warningsModule,
  moderationModule,
  peopleModule,
  followModule,
  serviceLevelModule,
  incidentsModule,
];
