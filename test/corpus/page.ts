/** One request and its answer: a line of a corpus. */
export interface Page {
  /** Kind of the page, such as `one broker`. Differences are counted by kind. */
  readonly kind: string;
  readonly method: string;
  readonly target: string;
  /** Header lines of the request, without `Host` and `Content-Length`. */
  readonly sent: readonly string[];
  /** Body of the request. */
  readonly content?: string;
  readonly status: number;
  /** Headers of the answer by lower-case name, sorted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the answer: its text, or its size and SHA-256. */
  readonly body: string;
}

/** The content of a corpus file: one page per line. */
export const formatPages = (pages: readonly Page[]): string =>
  pages.map((page) => `${JSON.stringify(page)}\n`).join('');

/** @throws Error naming the line that is no page */
export const parsePages = (text: string): Page[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as Page;
      } catch (cause) {
        throw new Error(`line ${index + 1} is no page of a corpus`, { cause });
      }
    });
