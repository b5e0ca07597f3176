/**
 * What a page is found to be. Runs in the page: its text is evaluated there, so it uses nothing from outside.
 * Measures geometry only, so it also works where the page's own scripts are off.
 */
() => {
  const describe = (element) => {
    const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
    const name = element.getAttribute('class') ?? '';
    return `<${element.localName}${name && `.${name}`}> ${text}`;
  };
  const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && /\S/.test(node.data));
  const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const elements = [...document.querySelectorAll('body *')].filter((each) => ownText(each) && shown(each));
  // Letters in an SVG are as large as its drawing makes them.
  const scaleOf = (element) => (element instanceof SVGElement ? (element.getScreenCTM?.()?.a ?? 1) : 1);
  const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize) * scaleOf(element);
  const sizes = new Map();
  for (const each of elements) {
    if (each instanceof SVGElement) continue;
    const size = Math.round(sizeOf(each) * 100) / 100;
    if (!sizes.has(size)) sizes.set(size, describe(each));
  }
  const small = elements.filter((each) => sizeOf(each) < 15.99).map(describe);

  /** Characters in a full line of running text. */
  const lineOf = (paragraph) => {
    const style = getComputedStyle(paragraph);
    const lines = Math.round(paragraph.getBoundingClientRect().height / parseFloat(style.lineHeight));
    return lines < 3 ? 0 : paragraph.textContent.trim().length / (lines - 0.5);
  };
  const long = [...document.querySelectorAll('main p, main li, main dd')]
    .filter((each) => shown(each) && each.children.length === 0 && each.textContent.length > 200)
    .filter((each) => lineOf(each) > 90)
    .map(describe);

  /** Elements that stand out of the window, for who has to mend it. */
  const wide = [...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && shown(each))
    .map(describe);

  const isClipped = (each) =>
    each !== null && (getComputedStyle(each).clipPath !== 'none' || isClipped(each.parentElement));
  const WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}’']{2,}/gu;
  /** No word of a language is longer: more letters are an address or a code. */
  const LONGEST_WORD = 30;
  /**
   * Returns the words of a text that are broken inside although a line of the page has room for them. Words between blanks
   * may break where they name a place for it, by a soft hyphen. Addresses, code and scripts without blanks may break
   * anywhere.
   */
  const brokenWords = (node) => {
    const range = document.createRange();
    return [...node.data.matchAll(/\S+/g)].flatMap(({ 0: run, index: begin }) => {
      if (run.length > LONGEST_WORD || run.includes('\u00AD')) return [];
      return [...run.matchAll(WORD)].flatMap(({ 0: word, index }) => {
        range.setStart(node, begin + index);
        range.setEnd(node, begin + index + word.length);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        const lines = new Set(rects.map(({ top }) => Math.round(top / 4)));
        return lines.size > 1 && rects.reduce((sum, { width }) => sum + width, 0) < innerWidth * 0.7 ? [word] : [];
      });
    });
  };
  const broken = elements
    .filter((each) => !(each instanceof SVGElement) && !each.closest('code, pre, .unseen, [href^="http"], dd bdi'))
    .filter((each) => each.getBoundingClientRect().width > 2 && !isClipped(each))
    .flatMap((each) => [...each.childNodes].filter(({ nodeType }) => nodeType === 3).flatMap(brokenWords));

  /** Characters that turn the text after them, until the end of their paragraph or until another one ends that. */
  const TURNING = /[\u202A-\u202E\u2066\u2067]/;
  /** Texts with such a character beside words of the page. Where people write a paragraph, it has its own direction. */
  const turning = elements
    .filter((each) => each.localName !== 'option' && !each.closest('pre, [dir="auto"]'))
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && TURNING.test(node.data)))
    .map(describe);

  /** A drawing has a name and a table beside it; property tests compare their numbers. */
  const charts = [...document.querySelectorAll('figure.chart')].flatMap((figure) => {
    const name = figure.getAttribute('data-chart');
    const drawings = [...figure.querySelectorAll('svg[role=img]')];
    return [
      ...(drawings.length > 0 && !figure.querySelector('table') ? [`${name}: no table has its numbers`] : []),
      ...drawings.filter((svg) => !svg.querySelector('title, desc')).map(() => `${name}: its drawing has no name`),
    ];
  });

  return {
    title: document.title,
    width: document.documentElement.scrollWidth,
    wide: wide.slice(0, 3),
    small: small.slice(0, 3),
    sizes: [...sizes].sort(([a], [b]) => a - b),
    long: long.slice(0, 3),
    broken: [...new Set(broken)].slice(0, 5),
    turning: turning.slice(0, 5),
    charts: charts.slice(0, 5),
    inline: document.querySelectorAll('[style], style, script:not([src]):not([type="application/ld+json"])').length,
    headings: document.querySelectorAll('h1').length,
  };
};
