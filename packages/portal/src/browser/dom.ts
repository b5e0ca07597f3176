import type { Child } from '../elements.ts';

/** Returns an element for the document. Text is never parsed as HTML. */
export const toDom = (child: Child): Node => {
  if (typeof child === 'string') return document.createTextNode(child);
  const made = document.createElement(child.tag);
  for (const [name, value] of Object.entries(child.attributes)) made.setAttribute(name, value);
  made.append(...child.children.map(toDom));
  return made;
};

/** Returns an element that the page has, by its id. */
export const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
