import type { Regulator } from '@broker-transparency/contract';
import type { RegulatorDocument } from './store.ts';

export const regulatorView = ({ _id, ...fields }: RegulatorDocument): Regulator => ({ code: _id, ...fields });
