import { GIVEN_REASON_CODES, Text, WebUrl } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';
import { listCodes } from './define-command.ts';
import { readDay, readExpiry, readPastMoment, readPastTime, readSpan } from './moment.rule.ts';

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

/** Returns a parser of a flag whose value is a moment, a day or a span. */
const toParser =
  <T>(read: (text: string) => { readonly value: T } | { readonly fault: string }) =>
  (text: string): T => {
    const found = read(text);
    if ('fault' in found) throw new InvalidArgumentError(found.fault);
    return found.value;
  };

/** Parses a day in UTC. */
export const parseDay = toParser(readDay);

/** Parses a day, a time, or a span before now: only the service's clock knows the present time. */
export const parseMoment = toParser(readPastMoment);
/** Parses a time of day, or a span before now. */
export const parsePastTime = toParser(readPastTime);

/** Parses a day, a time or a span from now, in the future. */
export const parseExpiry = toParser((text) => readExpiry(text, new Date()));

/** Parses a span. Returns milliseconds. */
export const parseSpan = toParser(readSpan);

export const parseLimit = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999999.');
  return Number(text);
};

/** The option of lists that show so many rows at most. */
export const LIMIT = {
  value: '<count>',
  what: 'show at most this many rows',
  parse: parseLimit,
  default: '50',
} as const;

/** The option of decisions for their published reason. */
export const REASON = { value: '<code>', what: 'why; see moderation reasons', choices: GIVEN_REASON_CODES } as const;

/** The option of commands that need one of these codes as their reason. */
export const defineReason = <const T extends object>(codes: T) =>
  ({ value: '<code>', what: 'why', choices: listCodes(codes), required: true }) as const;

/** The option of decisions for words of whoever decides. Each says who reads them. */
export const NOTE = { value: '<text>', parse: Text(3, 2000) } as const;
