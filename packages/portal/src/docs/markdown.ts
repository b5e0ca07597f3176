import MarkdownIt from 'markdown-it';

/** A heading within a text. */
export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly title: string;
}

/** A rendered text. */
export interface RenderedText {
  readonly title: string;
  /** The whole sentences of its first paragraph, as plain text. */
  readonly lead: string;
  readonly headings: readonly Heading[];
  /** The HTML below its title. */
  readonly html: string;
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

const toPlainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim();

/** Returns the anchor of a heading, in the form that repository hosts use. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

type Rules = typeof markdown.renderer.rules;

const markdown = new MarkdownIt({ html: false });
const { escapeHtml } = markdown.utils;
// content wider than a phone scrolls separately, and can be reached by the keyboard
Object.assign(markdown.renderer.rules, {
  table_open: () => '<div class="table" tabindex="0"><table>\n',
  table_close: () => '</table></div>\n',
  th_open: (tokens, at, options, _env, renderer) => {
    const [cell, content, end] = tokens.slice(at, at + 3);
    if (cell && end && content?.content === '')
      [cell.tag, end.tag] = ['td', 'td']; // a corner cell is no heading
    else cell?.attrSet('scope', 'col');
    return renderer.renderToken(tokens, at, options);
  },
  fence: (tokens, at) => {
    const { content = '', info = '' } = tokens[at] ?? {};
    const language = /^[a-z]+/.exec(info)?.[0];
    const name = language ? ` class="language-${language}"` : '';
    return `<pre tabindex="0"><code${name}>${escapeHtml(content)}</code></pre>\n`;
  },
  code_block: (tokens, at) => `<pre tabindex="0"><code>${escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`,
  image: (tokens, at) => `<em>${escapeHtml(tokens[at]?.content ?? '')}</em>`,
  heading_close: (tokens, at) => {
    const id = tokens[at - 2]?.attrGet('id') ?? '';
    const title = escapeHtml(toPlainText(tokens[at - 1]));
    return `<a class="anchor" href="#${id}" aria-label="${title}">#</a></${tokens[at]?.tag}>\n`;
  },
} satisfies Rules);

/** Adds anchors to all headings, and returns those below the title. */
const nameHeadings = (tokens: readonly Token[]): Heading[] => {
  const taken = new Map<string, number>();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const title = toPlainText(tokens[at + 1]);
    const anchor = toAnchor(title);
    const times = taken.get(anchor) ?? 0;
    taken.set(anchor, times + 1);
    const id = times === 0 ? anchor : `${anchor}-${times}`;
    token.attrSet('id', id);
    return [{ id, level: Number(token.tag.slice(1)), title }];
  });
};

/** Replaces link targets by addresses of the site. A link without one becomes text. */
const rewriteLinks = (tokens: readonly Token[], findAddress: (target: string) => string | undefined): void => {
  for (const { children } of tokens) {
    let open: Token | undefined;
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const address = findAddress(String(token.attrGet('href')));
        if (address !== undefined) token.attrSet('href', address);
        else {
          open = token;
          token.tag = 'span';
          token.attrs = [];
        }
      } else if (token.type === 'link_close' && open) {
        token.tag = 'span';
        open = undefined;
      }
    }
  }
};

/** Returns the text without a sentence that goes on in a list or a table below it. */
const keepSentences = (text: string): string => /^.*[.!?](?=\s|$)/s.exec(text)?.[0] ?? '';

/**
 * Renders Markdown that begins with a title. HTML in it is shown as text, and comments are left out.
 * @param findAddress returns the address of a link's target; undefined if there is none
 */
export const renderMarkdown = (text: string, findAddress: (target: string) => string | undefined): RenderedText => {
  const tokens = markdown.parse(text.replace(/^<!--.*?-->$/gms, ''), {});
  const [title, ...headings] = nameHeadings(tokens);
  if (tokens[0]?.tag !== 'h1' || !title) throw new Error('a guide begins with its title');
  if (headings.some(({ level }) => level === 1)) throw new Error(`${title.title}: a guide has one title`);
  rewriteLinks(tokens, findAddress);
  const first = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  const lead = keepSentences(toPlainText(tokens[first + 1]));
  return { title: title.title, lead, headings, html: markdown.renderer.render(tokens.slice(3), markdown.options, {}) };
};
