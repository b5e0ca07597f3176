import type { Corrections, Movers } from '@broker-transparency/contract/enterprise';

type UncitedMover = Omit<Movers['up'][number], 'citation'>;
type UncitedCorrection = Omit<Corrections['data'][number], 'citation'>;

/** The cited source: the log, or the service if nothing is signed. */
export interface CitedSource {
  readonly host: string;
  readonly origin: string | undefined;
}

const formatSource = ({ host, origin }: CitedSource, entries: readonly number[]): string => {
  const numbers = entries.join(' and ');
  const what = `${entries.length > 1 ? 'entries' : 'entry'} ${numbers}`;
  return `Source: ${host}, ${what} of ${origin === undefined ? 'its record' : `the log ${origin}`}.`;
};

const formatScore = ({ value, color }: UncitedMover['from']): string => `${value} (${color})`;

/** Returns the line to be printed beside a change of a score. */
export const formatMoverCitation = ({ slug, from, to }: UncitedMover, source: CitedSource): string =>
  `${slug}: from ${formatScore(from)} on ${from.date} to ${formatScore(to)} on ${to.date}, each at 00:00 UTC. ` +
  formatSource(source, [from.entry, to.entry]);

/** Returns the line to be printed beside a correction. */
export const formatCorrectionCitation = (
  { key, cause, time, number }: UncitedCorrection,
  source: CitedSource,
): string => {
  const how = cause === 'undo' ? 'taken back' : 'corrected';
  return `${key}: ${how} on ${time.slice(0, 10)}. ${formatSource(source, [number])}`;
};
