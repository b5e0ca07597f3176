import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown.ts';

const render = (text: string) =>
  renderMarkdown(`# Title\n\n${text}`, (target) => (target.startsWith('b.md') ? '/docs/guides/b' : undefined));

test('finds the title, the first paragraph as plain text and the headings', () => {
  const { title, lead, headings, html } = render('The *first*\nparagraph.\n\n## A `part`\n\n## A part\n');
  expect({ title, lead, headings }).toEqual({
    title: 'Title',
    lead: 'The first paragraph.',
    headings: [
      { id: 'a-part', level: 2, title: 'A part' },
      { id: 'a-part-1', level: 2, title: 'A part' },
    ],
  });
  expect(html).toContain('<h2 id="a-part">A <code>part</code><a class="anchor" href="#a-part" aria-label="A part">');
  expect(html).not.toContain('Title');
});

test.each([
  ['It reads lists. Then it', 'It reads lists.'],
  ['Node ≥ 22.18 serves it.', 'Node ≥ 22.18 serves it.'],
  ['The strongest is published:', ''],
])('the lead of %j has its whole sentences', (text, lead) => {
  expect(render(`${text}\n\n1. reads\n`).lead).toBe(lead);
});

test('links lead to pages of the site, and become text where there is none', () => {
  const { html } = render('[there](b.md#x), [nowhere](src/a.ts)\n');
  expect(html).toBe('<p><a href="/docs/guides/b">there</a>, <span>nowhere</span></p>\n');
});

test.each([
  ['HTML', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n'],
  ['a link that runs', '[x](javascript:alert)', '<p>[x](javascript:alert)</p>\n'],
  ['code', '```sh\na <b>\n```', '<pre tabindex="0"><code class="language-sh">a &lt;b&gt;\n</code></pre>\n'],
  ['code that is indented', 'x\n\n    a <b>', '<p>x</p>\n<pre tabindex="0"><code>a &lt;b&gt;\n</code></pre>\n'],
  ['a picture', '![a "b"](c.svg)', '<p><em>a &quot;b&quot;</em></p>\n'],
  ['a comment of ours', 'a\n\n<!-- made by hand -->\n\nb', '<p>a</p>\n<p>b</p>\n'],
])('shows %s harmlessly', (_, text, html) => {
  expect(render(text).html).toBe(html);
});

test('columns have a scope, and a wide table scrolls by itself', () => {
  const { html } = render('| a |\n|---|\n| 1 |\n');
  expect(html).toContain('<div class="table" tabindex="0"><table>');
  expect(html).toContain('<th scope="col">a</th>');
});

test('the empty corner of a table is not a heading', () => {
  expect(render('| | a |\n|---|---|\n| b | 1 |\n').html).toContain('<tr>\n<td></td>\n<th scope="col">a</th>\n</tr>');
});

test('a text with two titles, or without one, is refused', () => {
  expect(() => render('# Another\n')).toThrow('one title');
  expect(() => renderMarkdown('text', () => undefined)).toThrow('begins with its title');
});
