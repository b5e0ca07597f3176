import type { TxContext } from '../../platform/context.ts';
import { importNewsIn, newsStates } from '../news/actions.ts';
import { newsId } from '../news/record.rule.ts';
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

/** Announces what became public of a broker: as news, and to the broker. */
export const announce = async (c: TxContext, announced: Announced): Promise<void> => {
  const record = newsOf(announced, c.now);
  if (record !== undefined) {
    const states = await newsStates([newsId(record.url)], c.tx);
    await importNewsIn(c, [record], { reason: 'warning_matched', states });
  }
};
