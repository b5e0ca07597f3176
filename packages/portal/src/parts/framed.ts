import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';

/** Renders the frame for other sites: no script, and only as much around its content as the window allows. */
export const framed = (
  { texts, asset }: PageContext,
  { title, head, body }: { readonly title: string; readonly head?: Html; readonly body: Html },
): Html => html`<!doctype html>
<html lang="${texts.code}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${head}<link rel="icon" href="data:,">
<link rel="stylesheet" href="${asset('site.css')}">
</head>
<body class="framed">
<main>
${body}
</main>
</body>
</html>
`;
