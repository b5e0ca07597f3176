import type { NewsRecord } from '../news/record.rule.ts';
import type { Announcement, WarningMatch } from './decide.rule.ts';
import { formatTitle, type WarningState } from './warning.rule.ts';

interface AnnouncedWarning {
  readonly announcement: Announcement;
  readonly warning: WarningState;
  readonly match: WarningMatch;
  readonly broker: { readonly slug: string; readonly name: string };
}

/** The text of each announcement. A correction is as severe as the warning, so that as many people see it. */
const TEXTS: Partial<
  Record<
    Announcement,
    (a: AnnouncedWarning) => Pick<NewsRecord, 'title' | 'summary' | 'severity'> & { readonly place: string }
  >
> = {
  warned: ({ warning, match, broker }) => ({
    place: 'warned',
    severity: match.about === 'clone_of_it' ? 'notice' : 'serious',
    title:
      match.about === 'clone_of_it'
        ? `${warning.authority.name} warns of a clone of ${broker.name}`
        : `${warning.authority.name} warns of ${broker.name}`,
    summary:
      match.state === 'unchecked'
        ? `Matched automatically by LEI or licence number, unchecked. The warning: ${formatTitle(warning)}`
        : `The warning: ${formatTitle(warning)}`,
  }),
  corrected: ({ warning, match, broker }) => ({
    place: 'corrected',
    severity: 'serious',
    title: `Correction: a warning of ${warning.authority.name} is not about ${broker.name}`,
    summary:
      match.about === 'clone_of_it' && match.state === 'confirmed'
        ? `The warning is about somebody who pretends to be ${broker.name}. It had been shown here as one about the firm, by mistake.`
        : `A warning had been shown here as one about ${broker.name}, by mistake. It does not count any more.`,
  }),
  withdrawn: ({ warning, broker }) => ({
    place: 'withdrawn',
    severity: 'notice',
    title: `${warning.authority.name} has withdrawn a warning: ${broker.name}`,
    summary: `It is no longer in the authority's list. The warning: ${formatTitle(warning)}`,
  }),
};

const truncate = (text: string, length: number): string =>
  [...text].length <= length ? text : `${[...text].slice(0, length - 1).join('')}…`;

/**
 * Returns the news item of an announcement, if there is one. Each has its own address, so that none replaces another.
 */
export const toNewsRecord = (announced: AnnouncedWarning, now: Date): NewsRecord | undefined => {
  const text = TEXTS[announced.announcement]?.(announced);
  if (!text) return undefined;
  const { warning, broker } = announced;
  const { url, authority } = warning;
  const { place, title, summary, severity } = text;
  const at = [broker.slug, place, now.toISOString()].map(encodeURIComponent).join('/');
  return {
    title: truncate(title, 300),
    summary: truncate(summary, 1000),
    url: `${url}${url.includes('#') ? '/' : '#'}${at}`.slice(0, 2000),
    source: truncate(authority.name, 120),
    category: 'warning',
    severity,
    brokerSlugs: [broker.slug],
    regulatorCodes: authority.code === null ? [] : [authority.code],
    language: 'en',
    publishedAt: now.toISOString(),
  };
};
