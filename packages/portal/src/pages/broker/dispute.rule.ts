import type { BrokerDetail } from '@broker-transparency/client';
import type { Texts } from '../../languages.ts';
import type { TextContext } from '../../page.ts';
import { wordFor } from '../../words.ts';

export type Dispute = NonNullable<BrokerDetail['disputes']>[number];

/** Sections of a broker's page, by the disputable facts that they show. */
const SECTIONS: Readonly<Partial<Record<keyof Texts['broker']['sections'], readonly string[]>>> = {
  warnings: ['warnings', 'status'],
  licences: ['licenses'],
  complaints: ['complaints'],
  reviews: ['reviews'],
  firm: [
    'name',
    'legalName',
    'tradingNames',
    'lei',
    'website',
    'domains',
    'country',
    'foundedYear',
    'description',
    'entities',
  ],
  disclosures: ['checklist'],
};

/** Returns the disputes of facts that a section shows: open ones first, then the newest. */
export const listDisputesIn = (
  section: keyof Texts['broker']['sections'],
  disputes: readonly Dispute[],
): readonly Dispute[] => {
  const fields = SECTIONS[section] ?? [];
  const own = disputes.filter(({ field }) => fields.includes(field));
  return [...own.filter(({ status }) => status === 'open'), ...own.filter(({ status }) => status !== 'open')];
};

/** Facts that follow from what people sent: no statement shows that one changed. */
const FIGURES: ReadonlySet<string> = new Set(['complaints', 'reviews']);

/** Returns what everybody reads about a dispute. It says only who disputes, when, and what was decided. */
export const describeDispute = (
  { texts, format }: TextContext,
  { field, status, since, dueAt, decidedAt }: Dispute,
  now: Date,
): string => {
  const said = texts.dispute;
  const fact = wordFor(said.fields, field);
  if (status === 'open') {
    const isLate = dueAt < now.toISOString();
    return (isLate ? said.overdue : said.open)({ field: fact, since: format.day(since), due: format.day(dueAt) });
  }
  const ended =
    status === 'upheld'
      ? FIGURES.has(field)
        ? said.upheldFigure
        : said.upheld
      : status === 'rejected'
        ? said.rejected
        : status === 'withdrawn' && said.withdrawn;
  return ended
    ? ended({ field: fact, since: format.day(since), decided: format.day(decidedAt ?? since) })
    : `${fact}: ${status}`;
};

/** Returns how a fact changed after an upheld dispute, and by which statement; undefined if no statement shows it. */
export const describeChange = (
  { texts, format }: TextContext,
  { status, change, statement }: Dispute,
): string | undefined => {
  if (status !== 'upheld' || change === undefined || statement === undefined) return undefined;
  const how = wordFor(texts.dispute.changes, change);
  return `${how}: ${texts.dispute.byStatement({ statement: format.number(statement) })}`;
};
