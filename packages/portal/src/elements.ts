import { type Html, html, raw } from './html.ts';

/** A part of a page that both the server and a browser script can render. */
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
  | 'h2'
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

/** Creates an element. Parts that are `false` or `undefined` are skipped. */
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

/** Returns an element as HTML. Attribute names come only from this package. */
export const toHtml = (child: Child): Html => {
  if (typeof child === 'string') return html`${child}`;
  const tag = raw(child.tag);
  const attributes = Object.entries(child.attributes).map(([name, value]) => html` ${raw(name)}="${value}"`);
  return html`<${tag}${attributes}>${child.children.map(toHtml)}</${tag}>`;
};
