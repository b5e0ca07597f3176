/** A part of the documentation: its guides in reading order. */
export interface GuideSection {
  readonly name: 'use' | 'rating' | 'enterprise' | 'operating' | 'more';
  readonly guides: readonly string[];
  /** True if only operators of a service read them. They have an index of their own. */
  readonly isForOperators?: boolean;
}

/**
 * The guides of the site, by file name below `docs/`; a folder stands for its README. In addresses a dash replaces the
 * slash.
 */
export const CONTENTS: readonly GuideSection[] = [
  { name: 'use', guides: ['api', 'account-api', 'record', 'log', 'client', 'conformance', 'recipes'] },
  { name: 'rating', guides: ['terms', 'verdict', 'matching'] },
  {
    name: 'enterprise',
    guides: [
      'enterprise',
      'enterprise/media',
      'enterprise/institutions',
      'enterprise/regulators',
      'enterprise/agreement',
      'enterprise/feed',
      'enterprise/snapshots',
      'enterprise/webhooks',
      'enterprise/history',
      'enterprise/publication',
      'enterprise/screening',
      'enterprise/sdk',
      'enterprise/service-level',
      'enterprise/service-level-check',
    ],
  },
  {
    name: 'operating',
    isForOperators: true,
    guides: [
      'operating',
      'operating/installing',
      'operating/first-month',
      'operating/data-in',
      'operating/regulators',
      'operating/registers',
      'operating/warnings',
      'operating/news',
      'operating/moderation',
      'operating/complaints',
      'operating/firms',
      'operating/people',
      'operating/operators',
      'operating/identity',
      'operating/mail',
      'operating/record',
      'operating/enterprise',
      'operating/jobs',
      'operating/migrations',
      'operating/backup',
      'operating/scaling',
      'operating/embedding',
      'operating/observability',
      'operating/service-level',
      'operating/probers',
      'operating/incidents',
      'operating/runbook',
      'operating/hardening',
      'operating/audit',
      'glossary',
    ],
  },
  { name: 'more', guides: ['site', 'security', 'reliability', 'changelog'] },
];

/** Address of the index of operators' guides. */
export const OPERATING_PATH = '/docs/operating';

/** Texts that other pages show: the rules of each version of the methodology, and their index. */
export const METHODOLOGY = ['methodology', 'methodology/2026-1'] as const;

/** Returns the name of a guide in addresses and files. */
export const toGuideSlug = (guide: string): string => guide.replaceAll('/', '-');
