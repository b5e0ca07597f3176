import type { License } from '@broker-transparency/client';
import { ENDED_LICENSE_STATUSES } from '@broker-transparency/contract';

const OVER: ReadonlySet<string> = new Set(ENDED_LICENSE_STATUSES);

/** Whether a licence has ended. */
export const isOver = ({ status }: Pick<License, 'status'>): boolean => OVER.has(status);

/** Somebody says that the firm has or will have such a licence, and the register does not. */
const UNCONFIRMED: ReadonlySet<string> = new Set(['pending', 'unverified']);

/** Whether a licence is only applied for, or not confirmed by its register. */
export const isUnconfirmed = ({ status }: Pick<License, 'status'>): boolean => UNCONFIRMED.has(status);

/** Whether a licence is held, whatever it allows now. */
export const isHeld = (license: Pick<License, 'status'>): boolean => !isOver(license) && !isUnconfirmed(license);
