import { type Html, html } from '../html.ts';

/** Side of the square in which the mark is drawn. */
export const MARK_SIZE = 32;
/** The mark of the service as an SVG path, filled by the even-odd rule: a lens over three rising bars. */
export const MARK =
  'M13 2a11 11 0 1 0 0 22a11 11 0 1 0 0-22zM13 5a8 8 0 1 1 0 16a8 8 0 1 1 0-16z' +
  'M8.2 13.5h2.4v4h-2.4zM11.8 10.8h2.4v6.7h-2.4zM15.4 8.2h2.4v9.3h-2.4z' +
  'M19.4 21.9l2.5-2.5l7.6 7.6a1.77 1.77 0 0 1-2.5 2.5z';

/** Colors of the mark in icons and pictures: the accent on white, or white on the accent. */
export const ACCENT = '#0a5c7a';
/** Corner radius of the icon, and the place and scale of the mark in it. */
const [RADIUS, PLACE, SCALE] = [7, 3.6, 0.78];

/** Renders the mark in the color of the text around it. Its name is beside it. */
export const mark = (): Html =>
  html`<svg viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}" width="28" height="28" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${MARK}"/></svg>`;

/** Returns the icon of the service as SVG. It is readable on light and on dark. */
export const iconSvg = (): string =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}"><rect width="${MARK_SIZE}" height="${MARK_SIZE}" rx="${RADIUS}" fill="${ACCENT}"/><path transform="translate(${PLACE} ${PLACE}) scale(${SCALE})" fill="#fff" fill-rule="evenodd" d="${MARK}"/></svg>`
    .text;
