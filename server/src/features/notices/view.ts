import type { OwnMail } from '@broker-transparency/contract';
import type { NoticeAddress } from './store.ts';

/** Returns where people are told, as they see it. */
export const ownMailView = (address: NoticeAddress | null): OwnMail => {
  const { email, source, confirmedAt, language, pending } = address ?? {};
  return {
    address: email ?? null,
    source: source ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    language: language ?? null,
    pending: pending ? { address: pending.email, endsAt: pending.endsAt.toISOString() } : null,
  };
};
