import { InvalidArgumentError } from 'commander';

/** Parses a span such as 90d or 12h. Returns milliseconds. */
export const parseSpan = (text: string): number => {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('Give a span such as 90d or 12h.');
  return Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000);
};
