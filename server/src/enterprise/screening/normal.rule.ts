import { domainParts } from '../../matching/domains.rule.ts';
import { isTelling, nameParts } from '../../matching/names.rule.ts';

/** A name as it is compared. */
export interface NormalName {
  /** Its words without case and accents, joined by blanks. */
  readonly whole: string;
  /** The same without the legal form. */
  readonly core: string;
  /** The core without blanks: "Alpha FX" and "AlphaFX" are one. */
  readonly compact: string;
}

/** Returns a name without case, accents and punctuation, and without its legal form. */
export const normalName = (name: string): NormalName => {
  const { whole, core } = nameParts(name);
  return { whole, core: core.join(' '), compact: core.join('') };
};

/** Returns the words of a name that tell it from others. */
export const tellingWords = ({ core }: NormalName): string[] => core.split(' ').filter(isTelling);

/** Returns the part of a host that its owner chose, without dashes, which look-alikes leave out or put in. */
export const plainLabel = (host: string): string => domainParts(host)?.plain ?? host.replaceAll('-', '');

/** Returns a host and the ones above it, down to two labels. */
export const hostsAbove = (host: string): string[] => {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
};
