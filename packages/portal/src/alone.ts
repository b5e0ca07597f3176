import { type Html, html, raw } from './html.ts';
import type { Language } from './languages.ts';
import { type Frame, type FrameContext, frame, siteFooter } from './layout.ts';
import { headerSearch } from './parts/search-form.ts';
import { iconSvg } from './pictures/mark.ts';

/** A page that is one file with its style, so that it can be kept, and opened from a disk. */
interface LonePage extends Pick<Frame, 'title' | 'description' | 'notice' | 'body'> {
  /** The text of its style sheet. */
  readonly style: string;
  /** Its `Content-Security-Policy`, which allows the style by its hash. */
  readonly policy: string;
  /** First paragraph of the footer. */
  readonly line?: Html | undefined;
  /** Returns its address in a language. */
  readonly toHref: (language: Language) => string;
  /** True if the service that has the search serves it. */
  readonly hasSearch: boolean;
}

/** Renders a page that loads nothing, in the frame of the site. */
export const pageAlone = (context: FrameContext, page: LonePage): Html => {
  const { style, policy, line, toHref, hasSearch } = page;
  return frame(context, {
    ...page,
    head: html`<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(iconSvg())}">
<style>${raw(style)}</style>
`,
    search: hasSearch && context.has('/search') && headerSearch(context, false),
    footer: siteFooter(context, line, toHref),
  });
};
