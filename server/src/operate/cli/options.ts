import { WebUrl } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';

/** Parses text that is shown to the public. */
export const parseText = (given: string): string => {
  const text = given.trim();
  if (text === '' || text.length > 200 || !text.isWellFormed() || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError('Give 1 to 200 characters on one line.');
  return text;
};

export const parseUrl = (text: string): string => {
  if (!WebUrl.safeParse(text).success) throw new InvalidArgumentError('Give an absolute http or https address.');
  return text;
};

/** Parses a day in UTC. */
export const parseDay = (text: string): Date => {
  const day = new Date(`${text}T00:00:00.000Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  return day;
};
