import type { IncomingMessage } from 'node:http';
import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';

/** Paths of APIs have a version. */
const API_PATH = /^\/[^/]+\/v\d/;

/** Whether a person opened an address of the site: HTML is asked for by name, and not below an API. */
export const asksForPage = ({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  !API_PATH.test(url) && headers.accept?.includes('text/html') === true;

/**
 * The page of a refusal while nothing can be read, not even the style of the site. It has nothing in it that somebody
 * sent.
 */
export const refusalPage = (code: ProblemCode, requestId: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${PROBLEMS[code].title}</title>
</head>
<body>
<h1>${PROBLEMS[code].title}</h1>
<p>Load this page again in a few seconds.</p>
<p>Number of this request: ${requestId}</p>
</body>
</html>
`;
