import { mayReply } from '@broker-transparency/contract/record';
import type { Ending } from './policy.rule.ts';
import type { RepresentativeState } from './status.rule.ts';

/** The part of a broker that decides about what it may say. */
interface SpeakingFirm {
  readonly status: string;
}

/**
 * Returns whether a firm reads the complaints that were sent to it, and answers them here. A suspected clone does not: they
 * are private words of people, meant for the firm that it pretends to be. An operator forwards and answers them outside.
 */
export const mayAnswerComplaints = (firm: SpeakingFirm): boolean => mayReply(firm);

/** Why a suspected clone may not reply. */
export const NO_REPLY_OF_CLONE =
  'A firm that is suspected to be a clone does not reply in public. It can dispute the suspicion.';

/** The part of a representative that decides about what they wrote. */
interface Author {
  readonly status: RepresentativeState;
  readonly ending?: Ending | undefined;
}

/**
 * Returns true if what a person wrote for a firm may become public: they answer for it, or gave that up themselves. If
 * an operator ended it, the firm may never have said so.
 */
export const maySpeakForFirm = ({ status, ending }: Author): boolean => status === 'active' || ending === 'by_person';

/** Returns whether a firm may dispute a fact about itself. Every firm may, also one that is suspected or has ended. */
export const mayDispute = (_firm: SpeakingFirm): boolean => true;
