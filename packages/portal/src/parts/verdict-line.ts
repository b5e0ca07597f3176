import type { BrokerDetail } from '@broker-transparency/client';
import { decideVerdict, type PermissionState, type Verdict } from '@broker-transparency/contract';
import { type Html, html, isolateText } from '../html.ts';
import type { PageContext } from '../page.ts';
import { formResidence } from './residence.ts';

type SummaryKind = 'clone' | 'warned' | 'unchecked' | 'ceased' | 'merged' | PermissionState;

/** The most important statement of a verdict. */
interface VerdictSummary {
  readonly kind: SummaryKind;
  /** Legal names of the companies that are permitted; empty for other statements. */
  readonly firms: readonly string[];
}

/**
 * Returns the one statement of a verdict that matters most: an alarm about the firm itself, then its end, then its
 * permission.
 */
export const summarizeVerdict = ({ alarms, ending, entities, permission }: Verdict): VerdictSummary => {
  const has = (kind: Verdict['alarms'][number]['kind']): boolean => alarms.some((alarm) => alarm.kind === kind);
  const toSummary = (kind: SummaryKind): VerdictSummary => ({ kind, firms: [] });
  if (has('suspected_clone')) return toSummary('clone');
  if (has('warned')) return toSummary('warned');
  if (has('warned_unchecked')) return toSummary('unchecked');
  if (ending !== null) return toSummary(ending.kind);
  const kind = permission?.state ?? 'unknown';
  if (kind !== 'permitted' && kind !== 'other_entity') return toSummary(kind);
  const permitted = entities.filter(
    ({ stated, permits }) => permits.length > 0 && (stated !== undefined) === (kind === 'permitted'),
  );
  return { kind, firms: permitted.map(({ entity }) => entity.legalName) };
};

/**
 * Renders the verdict for a country in one statement. Beside a text that need not come from the broker, nothing that
 * speaks for the broker is repeated.
 * @param isAsked true if the text that was checked names this broker and nothing speaks against its sender
 */
export const verdictLine = (context: PageContext, broker: BrokerDetail, residence: string, isAsked: boolean): Html => {
  const { format, texts } = context;
  const words = texts.verdict;
  const { kind, firms } = summarizeVerdict(decideVerdict(broker, residence, context.now));
  const country = formResidence(context, residence);
  const named = format.list(firms.map(isolateText));
  const said: Readonly<Record<SummaryKind, () => string>> = {
    clone: () => words.clone,
    warned: () => words.warned,
    unchecked: () => words.unchecked,
    ceased: () => words.ended,
    merged: () => words.ended,
    permitted: () => (isAsked ? words.permittedShort({ where: country.where, firms: named }) : words.notSender),
    other_entity: () => (isAsked ? words.otherEntity({ where: country.where, firm: named }) : words.notSender),
    not_confirmed: () => words.notConfirmed({ where: country.where, named: country.named }),
    none: () => words.none({ named: country.named }),
    unknown: () => `${words.unknown({ named: country.named })} ${words.findFirst({ named: country.named })}`,
  };
  return html`<p>${words.title({ where: country.where })}: ${said[kind]()}</p>\n`;
};
