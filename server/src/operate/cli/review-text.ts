import { stripVTControlCharacters } from 'node:util';
import type { ReviewStatus } from '@broker-transparency/contract';
import type { QueuedReview, ShownReview } from '../../features/moderation/queue.ts';
import { formatCell } from './output.ts';

/** Breaks a paragraph into lines of at most this many characters, at blanks where there are any. */
const wrapText = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = '';
    }
    while (rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return [...lines, ...(line === '' ? [] : [line])];
};

/** Returns a text of people as lines for a terminal: paragraphs stay, nothing in it controls the terminal. */
export const toTextLines = (text: string, width: number): string[] =>
  stripVTControlCharacters(text)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((paragraph) => (paragraph.trim() === '' ? [''] : wrapText(formatCell(paragraph), width)));

const formatStatusCounts = (counts: Partial<Record<ReviewStatus, number>>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

/** Returns everything that decides about a review, for a terminal. */
export const toReviewLines = (review: QueuedReview & Partial<ShownReview>, width: number): string[] => {
  const { author, hints, flags, reports = [], decisions = [], ofAuthor, reply } = review;
  const { displayName, country } = author;
  const by = `${displayName}${country === undefined ? '' : ` (${country})`}`;
  return [
    `${review.broker}  ${review.rating} of 5  ${review.language}  ${review.createdAt.toISOString()}  ${review.id}`,
    `By ${by}, identity ${review.identityVerified ? 'verified' : 'not verified'}` +
      `${ofAuthor ? `; reviews of this person: ${formatStatusCounts(ofAuthor)}` : ''}`,
    '',
    ...toTextLines(review.title, width),
    '',
    ...toTextLines(review.content, width),
    '',
    ...(reply ? ['Answer of the broker:', ...toTextLines(reply.content, width), ''] : []),
    ...hints.flatMap(({ code, detail }) => toTextLines(`! ${code}: ${detail}`, width)),
    ...flags.flatMap(({ reasonCode, by: flagger, note }) =>
      toTextLines(`Flag of ${flagger}: ${reasonCode}${note === undefined ? '' : `, ${note}`}`, width),
    ),
    ...reports.flatMap(({ reasonCode, text }) => toTextLines(`Report: ${reasonCode}, ${text}`, width)),
    ...decisions.flatMap(({ kind, statement, decidedBy, decidedAt }) =>
      toTextLines(
        `${decidedAt.toISOString()} ${decidedBy}: ${kind}` +
          `${statement.reasonCode === null ? '' : `, ${statement.reasonCode}`}. ${statement.facts}`,
        width,
      ),
    ),
  ].map((line) => formatCell(line));
};
