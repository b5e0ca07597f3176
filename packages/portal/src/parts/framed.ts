import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';

/** The frame that other sites show: no script, and no more around its content than the window has room for. */
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
