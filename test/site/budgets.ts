/** The most that a page may cost its reader. Bytes are those of the answer with gzip. */
export interface PageBudget {
  readonly html: number;
  readonly style: number;
  readonly script: number;
}

const KB = 1000;

/** Every page, unless its template is listed below. */
const EVERY_PAGE: PageBudget = { html: 20 * KB, style: 12 * KB, script: 30 * KB };

const OTHERS: Readonly<Record<string, Partial<PageBudget>>> = {
  // with the headers of the answer it is about as long as the first 10 segments of a connection, 14.6 kB: beyond them,
  // a phone waits for one round trip more
  '/brokers/:slug': { html: 14 * KB },
};

export const getBudget = (template: string): PageBudget => ({ ...EVERY_PAGE, ...OTHERS[template] });

/** Sum of layout shifts: a tenth of what counts as good. */
export const MOST_SHIFT = 0.01;

/** Sizes of type on one page. */
export const MOST_SIZES = 5;
