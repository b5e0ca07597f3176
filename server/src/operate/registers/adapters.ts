import type { RegisterAdapter } from './adapter.rule.ts';
import { asic } from './adapters/asic.ts';
import { cvm } from './adapters/cvm.ts';

/** The registers whose files the service can read, by name. */
export const REGISTERS: Readonly<Record<string, RegisterAdapter>> = { asic, cvm };
