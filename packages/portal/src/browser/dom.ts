import type { Child } from '../elements.ts';

/** The element in the document: text is text, whatever it says. */
export const toDom = (child: Child): Node => {
  if (typeof child === 'string') return document.createTextNode(child);
  const made = document.createElement(child.tag);
  for (const [name, value] of Object.entries(child.attributes)) made.setAttribute(name, value);
  made.append(...child.children.map(toDom));
  return made;
};
