import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { renderStatus, type StatusFiles } from '../../status/page.ts';
import type { StatusFigures } from './read.ts';

/** Time in milliseconds for which a page is reused. */
const KEPT_MS = 60_000;
/** Time in milliseconds for which a page is reused while the figures cannot be read. */
const RETRIED_MS = 5000;
/** Time in milliseconds that a reader waits for new figures. Then the last ones are shown, with their age. */
const PATIENCE_MS = 1000;

const NOTHING: StatusFigures = {
  generatedAt: null,
  now: { state: 'unknown', minute: null, since: null, said: 0, of: 0 },
  probers: [],
  days: [],
  month: null,
  incidents: [],
  unexplained: [],
  moreUnexplained: 0,
};

/** Dependencies of the page. */
export interface StatusParts {
  readonly clock: Clock;
  /** Base URL of the service. */
  readonly service: string;
  /** Returns whether the service has the page with this path. */
  readonly has: (path: string) => boolean;
  readonly read: (now: Date) => Promise<StatusFigures>;
  readonly onFault: (error: unknown) => void;
}

/** Builds the page at most once a minute. While its figures cannot be read, it shows the last ones with their age. */
export const createStatusPage = ({ clock, service, has, read, onFault }: StatusParts): (() => Promise<StatusFiles>) => {
  let figures = NOTHING;
  let reading: Promise<void> | undefined;
  let made: { readonly files: StatusFiles; readonly from: number; readonly until: number } | undefined;
  const refresh = async (now: Date): Promise<void> => {
    try {
      figures = await read(now);
    } catch (error) {
      onFault(error);
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    const now = clock();
    // the clock may have been set back
    if (made && made.from <= now.getTime() && now.getTime() < made.until) return made.files;
    reading ??= refresh(now);
    await Promise.race([reading, sleep(PATIENCE_MS, undefined, { ref: false })]);
    const shownAt = clock();
    const shown = { service, source: 'service', shownAt: shownAt.toISOString(), prober: null } as const;
    const files = renderStatus({ ...figures, ...shown }, has);
    const isFresh = figures.generatedAt !== null && Date.parse(figures.generatedAt) >= now.getTime();
    made = { files, from: now.getTime(), until: shownAt.getTime() + (isFresh ? KEPT_MS : RETRIED_MS) };
    return files;
  };
};
