import type { IncomingMessage } from 'node:http';
import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';

/** Paths of APIs have a version. */
const API_PATH = /^\/[^/]+\/v\d/;

/** Returns whether a person opened an address of the site: the request asks for HTML by name, outside of an API. */
export const asksForPage = ({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  !API_PATH.test(url) && headers.accept?.includes('text/html') === true;

/**
 * Returns the page of a refusal while nothing else can be loaded, not even the style of the site. It contains no input
 * of the caller.
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
