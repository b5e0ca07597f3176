import type { Regulator } from '@broker-transparency/contract';
import type { RegulatorDocument } from '../../features/regulators/facts.ts';

export const regulatorView = ({ _id, ...fields }: RegulatorDocument): Regulator => ({ code: _id, ...fields });
