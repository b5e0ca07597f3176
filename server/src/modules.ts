import { enterpriseModule } from './enterprise/module.ts';
import { FEATURE_MODULES } from './features/modules.ts';
import { intakeModule } from './intake/module.ts';
import type { Module } from './ledger/define-module.ts';
import { ledgerModule } from './ledger/module.ts';
import { operateModule } from './operate/module.ts';
import { publishedModule } from './published/module.ts';

/** Every capability of the service, from the ground up. */
export const MODULES: readonly Module[] = [
  ledgerModule,
  ...FEATURE_MODULES,
  publishedModule,
  enterpriseModule,
  intakeModule,
  operateModule,
];
