import { type Child, type Element, element as e } from '../elements.ts';

/** Renders a table that scrolls separately if it is too wide, also by the keyboard. */
export const scrollTable = (caption: string, head: readonly Child[], rows: readonly Child[]): Element =>
  e(
    'div',
    { class: 'table', tabindex: '0', role: 'group', 'aria-label': caption },
    e('table', {}, e('caption', {}, caption), e('thead', {}, e('tr', {}, head)), e('tbody', {}, rows)),
  );
