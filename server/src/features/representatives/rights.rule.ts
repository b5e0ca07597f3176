/** The part of a broker that decides about what it may say. */
interface SpeakingFirm {
  readonly status: string;
}

/** Why a suspected clone may not reply. */
export const NO_REPLY_OF_CLONE =
  'A firm that is suspected to be a clone does not reply in public. It can dispute the suspicion.';

/** Returns whether a firm may dispute a fact about itself. Every firm may, also one that is suspected or has ended. */
export const mayDispute = (_firm: SpeakingFirm): boolean => true;
