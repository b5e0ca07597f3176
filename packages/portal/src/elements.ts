import { type Html, html, raw } from './html.ts';

/** A part of a page that the server and a script in the browser make alike. */
export interface Element {
  readonly tag: Tag;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Child[];
}
export type Child = string | Element;

type Tag =
  | 'bdi'
  | 'caption'
  | 'code'
  | 'details'
  | 'div'
  | 'h3'
  | 'li'
  | 'ol'
  | 'p'
  | 'span'
  | 'strong'
  | 'summary'
  | 'table'
  | 'tbody'
  | 'td'
  | 'th'
  | 'thead'
  | 'tr'
  | 'ul';

/** Makes an element. A part that is `false` or `undefined` is nothing. */
export const element = (
  tag: Tag,
  attributes: Element['attributes'],
  ...children: readonly (Child | readonly Child[] | false | undefined)[]
): Element => ({
  tag,
  attributes,
  children: children.flatMap((child): readonly Child[] => {
    if (child === false || child === undefined) return [];
    return typeof child === 'string' || 'tag' in child ? [child] : child;
  }),
});

/** The element as HTML. Names of attributes come from this package alone. */
export const toHtml = (child: Child): Html => {
  if (typeof child === 'string') return html`${child}`;
  const tag = raw(child.tag);
  const attributes = Object.entries(child.attributes).map(([name, value]) => html` ${raw(name)}="${value}"`);
  return html`<${tag}${attributes}>${child.children.map(toHtml)}</${tag}>`;
};
