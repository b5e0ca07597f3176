import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { isNear, isTelling } from './names.ts';
import { fold, looks } from './text.ts';

/** Hosts that offer pages or mailboxes to anybody: sharing one is no evidence. */
const SHARED: ReadonlySet<string> = new Set(
  (
    'facebook.com fb.com instagram.com twitter.com x.com t.me telegram.me telegram.org youtube.com youtu.be linkedin.com ' +
    'tiktok.com wa.me whatsapp.com vk.com reddit.com medium.com pinterest.com discord.gg discord.com threads.net ' +
    'google.com apple.com bit.ly linktr.ee tinyurl.com trustpilot.com wikipedia.org gmail.com googlemail.com outlook.com ' +
    'hotmail.com live.com yahoo.com icloud.com aol.com gmx.com gmx.net gmx.de web.de mail.ru yandex.ru yandex.com bk.ru ' +
    'proton.me protonmail.com zoho.com qq.com 163.com metatrader4.com metatrader5.com mql5.com'
  ).split(' '),
);

/** A parsed domain name. */
export interface DomainParts {
  readonly host: string;
  /** The registered part, by the public suffix list: `alpha.co.uk` of `trade.alpha.co.uk`. */
  readonly registered: string;
  /** The part that its owner chose: `alpha`. */
  readonly label: string;
  /** The label in the forms for finding look-alikes: without dashes, in its visual form, and without added words. */
  readonly plain: string;
  readonly look: string;
  readonly stem: string;
  /**
   * Each label of the host, unchanged and without words that look-alikes add at either end. For
   * `secure-alpha.login.test`: `securealpha`, `alpha` and `login`.
   */
  readonly meant: readonly string[];
}

/** Returns the host in a domain name, an address or a mail address, without `www`; undefined if there is none. */
export const parseHost = (domain: string): string | undefined => {
  const text = domain.trim();
  try {
    const { hostname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    const host = hostname.replace(/\.$/, '').replace(/^www\d?\./, '');
    return host.includes('.') && !/^[\d.]+$/.test(host) ? host : undefined;
  } catch {
    return undefined;
  }
};

/** "Pty.Ltd" is two legal forms, although `ltd` is an ending of domains. */
const FORMS = /^(?:pty|pte|pvt|co|inc|sdn|corp)\.(?:ltd|inc|llc|co|limited)$/;

/** Returns the host of an address within other words: only with an existing public suffix, or `.example`. */
export const findSite = (word: string): string | undefined => {
  const host = /^(?:https?:\/\/)?[^\s/@]+\.[^\s/@]{2,}/iu.test(word) ? parseHost(word) : undefined;
  if (host === undefined || FORMS.test(host)) return undefined;
  return parse(host).isIcann || host.endsWith('.example') ? host : undefined;
};

/** Returns whether a domain belongs to a platform that offers subdomains to anybody. */
export const isShared = ({ registered }: DomainParts): boolean => SHARED.has(registered);

/** Words that look-alikes add before or after the domain of their victim. */
const PREFIX = /^(?:my|the|go|get|trade|join|official|secure|login|client|portal|app|web|www|real|new|global|pro|fx)/;
const SUFFIX =
  /(?:fx|forex|trade|trading|trader|traders|markets|market|invest|investment|investments|capital|group|global|online|official|pro|vip|app|web|login|client|clients|portal|ltd|limited|llc|inc|uk|eu|us|usa|au|cy|za|asia|hk|sg|intl|international|broker|brokers|support|crypto|finance|financial|live|secure|account|accounts|bank|io|net|24|365|\d{1,3})$/;
/** Minimum number of letters left of a label after a word is removed. */
const SHORTEST_STEM = 4;

const stripAffix = (label: string): string => {
  const short = PREFIX.test(label) ? label.replace(PREFIX, '') : label.replace(SUFFIX, '');
  return short.length >= SHORTEST_STEM ? short : label;
};

/** Words that phishers put before a brand. */
const LURE =
  /^(?:verify|verification|update|signin|sign|account|accounts|support|service|services|help|mail|email|id|auth|online|safe|safety|security|secured|bonus|promo|vip|pay|payment|wallet|withdraw|recovery|refund)/;

/** Returns the possible meanings of a label. */
const listMeanings = (label: string): string[] => {
  const withoutEnd = (text: string): string[] => [text, text.replace(SUFFIX, '')];
  const all = [label, label.replace(PREFIX, ''), label.replace(LURE, '')].flatMap(withoutEnd);
  return all.filter((one) => one.length >= SHORTEST_STEM);
};

/** Returns a label as people see it: the label of `аlpha.example` with a Cyrillic letter, not `xn--lpha-53d`. */
const toVisibleLabel = (label: string): string => (label.includes('xn--') ? fold(domainToUnicode(label)) : label);

/**
 * Parses a domain name; undefined if it is invalid. Suffixes below which anybody gets a name count as public suffixes.
 */
export const domainParts = (domain: string): DomainParts | undefined => {
  const host = parseHost(domain);
  if (host === undefined) return undefined;
  const { domain: registered, domainWithoutSuffix } = parse(host, { allowPrivateDomains: true });
  if (!registered) return undefined;
  const label = toVisibleLabel(domainWithoutSuffix || registered);
  const plain = label.replaceAll('-', '');
  const labels = [
    ...host
      .slice(0, -registered.length)
      .split('.')
      .filter((one) => one !== ''),
    label,
  ];
  const meant = [...new Set(labels.flatMap((one) => listMeanings(toVisibleLabel(one).replaceAll('-', ''))))];
  return { host, registered, label, plain, look: looks(plain), stem: stripAffix(plain), meant };
};

/** Relation of one domain to another. */
export type DomainRelation = 'same' | 'look-alike' | 'foreign';

/** Returns the relation of one domain to another. Another suffix, dash, letter or affix makes a look-alike. */
export const domainRelation = (a: DomainParts, b: DomainParts): DomainRelation => {
  if (a.registered === b.registered) return 'same';
  if (a.look === b.look || a.stem === b.stem || a.stem === b.plain || a.plain === b.stem) return 'look-alike';
  return isNear(a.plain, b.plain) ? 'look-alike' : 'foreign';
};

/** Returns whether a look-alike shares more than words of the trade: `gomarkets.com` and `markets212.com` do not. */
export const sharesTellingLabel = (a: DomainParts, b: DomainParts): boolean =>
  a.look === b.look ||
  [a.stem, a.plain].some((stem) => isTelling(stem) && (stem === b.stem || stem === b.plain || isNear(stem, b.stem)));

/** Returns whether a label is a common word: it consists of words that look-alikes add. */
const isCommonLabel = (label: string): boolean => label.replace(PREFIX, '').replace(SUFFIX, '') === '';

/** Minimum length of a brand that is looked for in other hosts: shorter ones occur in too many words. */
const SHORTEST_BRAND = 5;

/**
 * Returns whether a label of a host imitates the brand of another one: `alpha-markets.host.test` as
 * `alpha-markets.com`.
 */
export const meansBrand = ({ meant }: DomainParts, brand: DomainParts): boolean =>
  brand.plain.length >= SHORTEST_BRAND &&
  !isCommonLabel(brand.plain) &&
  meant.some((one) => one === brand.plain || looks(one) === brand.look);
