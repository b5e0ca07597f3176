import type { TxContext } from '../../ledger/context.ts';
import { importNewsIn, markCorrected, readNewsStates } from '../news/actions.ts';
import { newsId } from '../news/record.rule.ts';
import { notifyBroker } from '../notices/tell.ts';
import type { Announcement, WarningMatch } from './decide.rule.ts';
import type { MatchableBroker } from './match.rule.ts';
import { toNewsRecord } from './news.rule.ts';
import type { WarningState } from './warning.rule.ts';

/** A publication of a match, or its correction. */
export interface MatchAnnouncement {
  readonly announcement: Announcement;
  readonly warning: WarningState;
  readonly match: WarningMatch;
  readonly broker: Pick<MatchableBroker, 'key' | 'slug' | 'name'>;
}

/** Notifies the confirmed contacts of a broker of a warning about it, or of its correction. */
const notifyContacts = async (c: TxContext, { announcement, warning, broker }: MatchAnnouncement): Promise<void> => {
  const about = { reference: warning._id, authority: warning.authority.name, url: warning.url };
  if (announcement === 'warned') await notifyBroker(c, broker.key, 'broker.warning', about);
  if (announcement === 'corrected') await notifyBroker(c, broker.key, 'broker.correction', about);
};

/** Returns the id of the news item that announces a warning. */
export const findAnnouncedItem = (announced: MatchAnnouncement, now: Date): string | undefined => {
  const record = announced.announcement === 'warned' ? toNewsRecord(announced, now) : undefined;
  return record && newsId(record.url);
};

/**
 * Announces a change of a broker's warnings as news and to the broker. A correction marks the item that it corrects.
 */
export const announce = async (c: TxContext, announced: MatchAnnouncement): Promise<void> => {
  await notifyContacts(c, announced);
  const { announcement, match } = announced;
  if (announcement === 'corrected' && match.announced !== undefined)
    await markCorrected(c, match.announced, 'warning_corrected');
  const record = toNewsRecord(announced, c.now);
  if (record !== undefined) {
    const states = await readNewsStates([newsId(record.url)], c.tx);
    await importNewsIn(c, [record], { reason: 'warning_matched', states });
  }
};
