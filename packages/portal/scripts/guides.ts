import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTENTS, METHODOLOGY, toGuideSlug } from '../src/docs/contents.ts';
import type { GuideEntry } from '../src/docs/library.ts';
import { renderMarkdown } from '../src/docs/markdown.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const NAMES = [...CONTENTS.flatMap(({ guides }) => guides), ...METHODOLOGY];

/** Returns the file of a guide, relative to the root of the project. */
const findSource = (guide: string): string => {
  if (guide === 'client') return 'client/README.md';
  const folder = `docs/${guide}/README.md`;
  return existsSync(join(ROOT, folder)) ? folder : `docs/${guide}.md`;
};

const GUIDE_BY_SOURCE: ReadonlyMap<string, string> = new Map(NAMES.map((guide) => [findSource(guide), guide]));

const toGuideAddress = (guide: string): string =>
  guide.startsWith('methodology') ? `/${guide}` : `/docs/guides/${toGuideSlug(guide)}`;

/** Returns a function for the site's address of a linked file. Sources and pages for contributors have none. */
const createLinkResolver =
  (source: string) =>
  (target: string): string | undefined => {
    if (/^(https?:|mailto:|#)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const file = normalize(join(dirname(source), path));
    if (/^(contract|docs)\/methodology\/[^/]+\.(ndjson|py)$/.test(file)) return `/methodology/${basename(file)}`;
    const guide = GUIDE_BY_SOURCE.get(file);
    return guide && `${toGuideAddress(guide)}${anchor ? `#${anchor}` : ''}`;
  };

const PACKAGES = ['server', 'client', 'contract'] as const;

/** Returns the unreleased changes: the text of each changeset, by its main package. */
const readUnreleased = (): string => {
  const folder = join(ROOT, '.changeset');
  if (!existsSync(folder)) return '';
  const changes = readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => /^---\n(.*?)---\n(.*)$/s.exec(readFileSync(join(folder, name), 'utf8')))
    .map((match) => ({ packages: match?.[1] ?? '', text: (match?.[2] ?? '').trim() }));
  if (changes.length === 0) return '';
  const sections = PACKAGES.map((name) => {
    const own = changes.filter(({ packages }) => packages.includes(`broker-transparency/${name}`));
    // breaking changes first; each change appears once, at the first package that it affects
    const first = own.filter(({ packages }) => {
      const at = PACKAGES.findIndex((other) => packages.includes(`broker-transparency/${other}`));
      return PACKAGES[at] === name;
    });
    const lines = first
      .map(({ text }) => text)
      .sort((a, b) => Number(b.startsWith('Breaking')) - Number(a.startsWith('Breaking')))
      .map((text) => `- ${text.replaceAll('\n', '\n  ')}`);
    return lines.length === 0 ? '' : `### ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${lines.join('\n')}\n`;
  });
  return `## Not released yet\n\n${sections.join('\n')}`;
};

/** Returns the releases of a package from its changelog. */
const readReleases = (name: (typeof PACKAGES)[number]): string => {
  const text = readFileSync(join(ROOT, name, 'CHANGELOG.md'), 'utf8');
  return text
    .replace(/^# .*\n/, '')
    .replace(/^(#+) /gm, (_, marks: string) => (marks.length === 2 ? `## ${name} ` : `${marks} `));
};

const buildChangelog = (): string => `# Changelog

What changed for those who use the service, its client and its contract, newest first. \`docs/releasing.md\` says what counts as breaking.

${readUnreleased()}
${PACKAGES.map(readReleases).join('\n')}`;

const readGuide = (guide: string): string =>
  guide === 'changelog' ? buildChangelog() : readFileSync(join(ROOT, findSource(guide)), 'utf8');

/** Returns the texts of the site by file name, and their index. */
export const buildSiteGuides = (): Readonly<Record<string, string>> => {
  const rendered = NAMES.map((guide) => ({
    guide,
    ...renderMarkdown(readGuide(guide), createLinkResolver(findSource(guide))),
  }));
  const index = rendered.map(
    ({ guide, title, lead, headings }): GuideEntry => ({ name: toGuideSlug(guide), title, lead, headings }),
  );
  const lines = index.map((entry) => JSON.stringify(entry));
  return {
    ...Object.fromEntries(rendered.map(({ guide, html }) => [`${toGuideSlug(guide)}.html`, html])),
    'index.json': `[\n${lines.join(',\n')}\n]\n`,
  };
};
