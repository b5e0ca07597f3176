import type { RegisterAdapter } from './adapter.rule.ts';
import { asic } from './adapters/asic.ts';
import { cvm } from './adapters/cvm.ts';

/** Registers whose own files can be read, by name. */
export const REGISTERS: Readonly<Record<string, RegisterAdapter>> = { asic, cvm };
