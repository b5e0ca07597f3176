import { isTelling, looks, nameWords } from '@broker-transparency/matching';

/** A normalised name. */
export interface NormalName {
  /** Its words without case and accents, joined by blanks. */
  readonly whole: string;
  /** The same without the legal form. */
  readonly core: string;
  /** The core without blanks: "Alpha FX" and "AlphaFX" are one. */
  readonly compact: string;
  /** The compact form as a hurried reader sees it: "A1pha" is "Alpha". */
  readonly look: string;
  /** True if a word mixes alphabets, as clones do. */
  readonly isMixed: boolean;
}

/** Returns a name without case, accents and punctuation, and without its legal form. */
export const normalName = (name: string): NormalName => {
  const { whole, core, isMixed } = nameWords(name);
  const compact = core.join('');
  return { whole, core: core.join(' '), compact, look: looks(compact), isMixed };
};

/** Returns the words of a name that tell it from others. */
export const tellingWords = ({ core }: NormalName): string[] => core.split(' ').filter(isTelling);
