import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import * as store from './store.ts';

/** Leaves out what stands for a credential, and which process is at work. */
const exportedAddress = ({ stopToken, hold, pending, ...address }: store.NoticeAddress) => ({
  ...address,
  ...(pending ? { pending: { email: pending.email, endsAt: pending.endsAt } } : {}),
});
const exportedNotice = ({ claim, data, ...notice }: store.Notice) => {
  const { code, ...shown } = data;
  return { ...notice, data: shown };
};

/**
 * Where people are told, and what they were told. An erasure waits for a message that is just being sent, a minute at
 * the most, so that no message begins to go out once it is done.
 */
export const noticeData: PersonalDataSource = {
  name: 'noticeAddresses',
  findAddresses: async (accountIds, tx) =>
    (await store.findAddresses(accountIds, tx)).flatMap(({ email }) => email ?? []),
  held: async ({ accountIds }, tx) => ({
    mailAddresses: (await store.findAddresses(accountIds, tx)).map(exportedAddress),
    notices: (await store.findNoticesAbout(accountIds, tx)).map(exportedNotice),
  }),
  erase: async ({ tx, now }, { accountIds }, limit) => {
    const addresses = await store.findAddresses(accountIds, tx);
    const notices = await store.findNoticesAbout(accountIds, tx, limit);
    const isSending = [...addresses.map(({ hold }) => hold), ...notices.map(({ claim }) => claim)].some(
      (one) => one !== undefined && one.until > now,
    );
    if (isSending) throw createRetryError('a message to this person is being sent');
    await store.deleteNotices(
      notices.map(({ _id }) => _id),
      tx,
    );
    return notices.length + (await store.deleteAddresses(accountIds, tx));
  },
};
