import type { TxContext } from '../../ledger/context.ts';
import { importNewsIn, markCorrected, newsStates } from '../news/actions.ts';
import { newsId } from '../news/record.rule.ts';
import { tellBroker } from '../notices/tell.ts';
import type { Announcement, Match } from './decide.rule.ts';
import type { MatchableBroker } from './match.rule.ts';
import { newsOf } from './news.rule.ts';
import type { WarningState } from './warning.rule.ts';

/** What became public, or was taken back. */
export interface Announced {
  readonly announcement: Announcement;
  readonly warning: WarningState;
  readonly match: Match;
  readonly broker: Pick<MatchableBroker, 'key' | 'slug' | 'name'>;
}

/** Tells the confirmed contacts of a broker that it is warned of, or that this was wrong. */
const tell = async (c: TxContext, { announcement, warning, broker }: Announced): Promise<void> => {
  const about = { reference: warning._id, authority: warning.authority.name, url: warning.url };
  if (announcement === 'warned') await tellBroker(c, broker.key, 'broker.warning', about);
  if (announcement === 'corrected') await tellBroker(c, broker.key, 'broker.correction', about);
};

/** Returns the id of the news item that says that a broker is warned of. */
export const announcedItem = (announced: Announced, now: Date): string | undefined => {
  const record = announced.announcement === 'warned' ? newsOf(announced, now) : undefined;
  return record && newsId(record.url);
};

/** Announces what became public of a broker: as news, and to the broker. A correction marks the item that it corrects. */
export const announce = async (c: TxContext, announced: Announced): Promise<void> => {
  await tell(c, announced);
  const { announcement, match } = announced;
  if (announcement === 'corrected' && match.announced !== undefined)
    await markCorrected(c, match.announced, 'warning_corrected');
  const record = newsOf(announced, c.now);
  if (record !== undefined) {
    const states = await newsStates([newsId(record.url)], c.tx);
    await importNewsIn(c, [record], { reason: 'warning_matched', states });
  }
};
