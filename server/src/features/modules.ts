import type { Module } from '../ledger/define-module.ts';
import { accountsModule } from './accounts/module.ts';
import { answersModule } from './answers/module.ts';
import { brokersModule } from './brokers/module.ts';
import { claimsModule } from './claims/module.ts';
import { complaintsModule } from './complaints/module.ts';
import { disputesModule } from './disputes/module.ts';
import { erasuresModule } from './erasures/module.ts';
import { followModule } from './follow/module.ts';
import { incidentsModule } from './incidents/module.ts';
import { marksModule } from './marks/module.ts';
import { moderationModule } from './moderation/module.ts';
import { newsModule } from './news/module.ts';
import { noticesModule } from './notices/module.ts';
import { operatorsModule } from './operators/module.ts';
import { peopleModule } from './people/module.ts';
import { registersModule } from './registers/module.ts';
import { regulatorsModule } from './regulators/module.ts';
import { repliesModule } from './replies/module.ts';
import { representativesModule } from './representatives/module.ts';
import { reviewsModule } from './reviews/module.ts';
import { serviceLevelModule } from './service-level/module.ts';
import { signInModule } from './sign-in/module.ts';
import { transparencyModule } from './transparency/module.ts';
import { warningsModule } from './warnings/module.ts';
import { writingModule } from './writing/module.ts';

/** The features, each after those that it needs. */
const features = [
  claimsModule,
  erasuresModule,
  brokersModule,
  marksModule,
  noticesModule,
  accountsModule,
  signInModule,
  operatorsModule,
  regulatorsModule,
  registersModule,
  representativesModule,
  disputesModule,
  transparencyModule,
  reviewsModule,
  repliesModule,
  complaintsModule,
  answersModule,
  newsModule,
  warningsModule,
  moderationModule,
  writingModule,
  followModule,
  peopleModule,
  serviceLevelModule,
  incidentsModule,
] as const;
export type FeatureModule = (typeof features)[number];
export const FEATURE_MODULES: readonly Module[] = features;
