import type { Page } from './page.ts';

/** Numbers of pages of a kind. */
export interface Count {
  same: number;
  changed: number;
  /** Requested only before. */
  missing: number;
  /** Requested only now. */
  added: number;
}

export interface CorpusDifference {
  readonly page: Page;
  /** The differences, one per line. */
  readonly lines: readonly string[];
}

export interface CorpusComparison {
  readonly differences: readonly CorpusDifference[];
  readonly counts: ReadonlyMap<string, Count>;
}

/** Number of characters of a value to show. */
const SHOWN = 120;
/** Number of places of one body to show. */
const PLACES = 5;

const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const show = (value: unknown): string => (value === undefined ? 'nothing' : shorten(JSON.stringify(value)));
const change = (what: string, before: unknown, after: unknown): string => `${what}: ${show(before)} → ${show(after)}`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Differences of two JSON values, each with its place as a JSON Pointer. */
const places = (before: unknown, after: unknown, at = ''): string[] => {
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return Object.is(before, after) ? [] : [change(`body at ${at || '/'}`, before, after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => places(before[name], after[name], `${at}/${name}`));
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The first differing character, with some text before it. */
const excerpts = (before: string, after: string): string => {
  let at = 0;
  while (before[at] === after[at]) at++;
  const from = Math.max(0, at - 30);
  return change(`body from character ${from}`, before.slice(from), after.slice(from));
};

const bodyLines = (before: string, after: string): string[] => {
  if (before === after) return [];
  const [parsedBefore, parsedAfter] = [parse(before), parse(after)];
  const found = isObject(parsedBefore) && isObject(parsedAfter) ? places(parsedBefore, parsedAfter) : [];
  if (found.length === 0) return [excerpts(before, after)]; // text, or JSON with another formatting
  const more = found.length > PLACES ? [`body at ${found.length - PLACES} more places`] : [];
  return [...found.slice(0, PLACES), ...more];
};

const headerLines = (before: Page['headers'], after: Page['headers']): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter((name) => before[name] !== after[name])
    .map((name) => change(`header ${name}`, before[name], after[name]));

const differing = (before: Page, after: Page): string[] => [
  ...(before.status === after.status ? [] : [change('status', before.status, after.status)]),
  ...headerLines(before.headers, after.headers),
  ...bodyLines(before.body, after.body),
];

/** Pages by request. Repeated requests are numbered. */
const byRequest = (pages: readonly Page[]): Map<string, Page> => {
  const times = new Map<string, number>();
  return new Map(
    pages.map((page) => {
      const request = JSON.stringify([page.kind, page.method, page.target, page.sent, page.content]);
      const time = (times.get(request) ?? 0) + 1;
      times.set(request, time);
      return [`${time} ${request}`, page];
    }),
  );
};

/** Compares the answers to equal requests, in the order of the first corpus. */
export const compare = (before: readonly Page[], after: readonly Page[]): CorpusComparison => {
  const [old, now] = [byRequest(before), byRequest(after)];
  const counts = new Map<string, Count>();
  const differences: CorpusDifference[] = [];
  const note = (page: Page, as: keyof Count, lines: readonly string[] = []): void => {
    const count = counts.get(page.kind) ?? { same: 0, changed: 0, missing: 0, added: 0 };
    counts.set(page.kind, count);
    count[as] += 1;
    if (as !== 'same') differences.push({ page, lines });
  };
  for (const [request, page] of old) {
    const other = now.get(request);
    const lines = other ? differing(page, other) : ['is missing'];
    note(page, !other ? 'missing' : lines.length > 0 ? 'changed' : 'same', lines);
  }
  for (const [request, page] of now) if (!old.has(request)) note(page, 'added', ['is new']);
  return { differences, counts };
};
