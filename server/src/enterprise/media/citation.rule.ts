import type { Corrections, Movers } from '@broker-transparency/contract/enterprise';

type Moved = Omit<Movers['up'][number], 'citation'>;
type Corrected = Omit<Corrections['data'][number], 'citation'>;

/** Who is named as the source: the log, or the service where nothing is signed. */
export interface Source {
  readonly host: string;
  readonly origin: string | undefined;
}

const sourceLine = ({ host, origin }: Source, entries: readonly number[]): string => {
  const numbers = entries.join(' and ');
  const what = `${entries.length > 1 ? 'entries' : 'entry'} ${numbers}`;
  return `Source: ${host}, ${what} of ${origin === undefined ? 'its record' : `the log ${origin}`}.`;
};

const score = ({ value, color }: Moved['from']): string => `${value} (${color})`;

/** Returns the line to be printed beside a change of a score. */
export const moverCitation = ({ slug, from, to }: Moved, source: Source): string =>
  `${slug}: from ${score(from)} on ${from.date} to ${score(to)} on ${to.date}, each at 00:00 UTC. ` +
  sourceLine(source, [from.entry, to.entry]);

/** Returns the line to be printed beside a correction. */
export const correctionCitation = ({ key, cause, time, number }: Corrected, source: Source): string => {
  const how = cause === 'undo' ? 'taken back' : 'corrected';
  return `${key}: ${how} on ${time.slice(0, 10)}. ${sourceLine(source, [number])}`;
};
