import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** Script, a mark that turns the line, and piled marks. */
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e${'Z\u0335\u0321\u0489'.repeat(8)}`;
const LONG_NAME = `${'Go '.repeat(39)}Go`;

const warning = (number: number, over: object = {}) => ({
  source: `Office ${HOSTILE}`,
  url: `https://office.example/${number}`,
  title: `Warning ${number}`,
  publishedAt: `2026-01-0${number}T00:00:00Z`,
  about: 'this_firm',
  ...over,
});

const WARNINGS = [
  warning(1),
  warning(2, { match: 'unchecked' }),
  warning(3, { about: 'clone_of_it' }),
  warning(4, { withdrawnAt: '2026-02-01T00:00:00Z' }),
  warning(5, { about: 'not_this_firm', correctedAt: '2026-02-02T00:00:00Z' }),
];

const review = (number: number, over: object = {}) => ({
  reference: `r${number}`,
  broker: 'reviewed',
  rating: 4.5,
  title: `Title ${number}`,
  content: `Text of the review with the number ${number}.`,
  language: 'en',
  status: 'published',
  createdAt: '2026-03-02T09:30:00Z',
  publishedAt: new Date(Date.UTC(2026, 2, 3, 0, number)).toISOString(),
  author: { subject: `former-${number}`, displayName: `Reviewer ${number}` },
  verification: { provider: 'acme', person: `p${number}`, verifiedAt: '2026-01-01T00:00:00Z' },
  ...over,
});

let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [
    brokerRow('reviewed', {
      checklist: [
        { key: 'fees', met: null, sourceUrl: null, checkedAt: null },
        { key: 'address', met: false, sourceUrl: null, checkedAt: '2026-01-02T00:00:00Z' },
      ],
      licenses: [
        licenseRow('reviewed Ltd', 'fca'),
        licenseRow('reviewed Ltd', 'cysec', { status: 'revoked', statusEffectiveAt: '2025-05-05T00:00:00Z' }),
      ],
    }),
    brokerRow('warned', { warnings: WARNINGS }),
    brokerRow('unsure', { warnings: WARNINGS.slice(1, 2) }),
    brokerRow('clone', { status: 'suspected_clone' }),
    brokerRow('claimed', {
      licenses: ['pending', 'unverified', 'active'].map((status, at) =>
        licenseRow('claimed Ltd', 'fca', { status, referenceNumber: `${at}` }),
      ),
    }),
    brokerRow('unlicensed', { licenses: [licenseRow('unlicensed Ltd', 'fca', { status: 'unverified' })] }),
    brokerRow('unrated', { licensesCheckedAt: null, licenses: [], entities: [] }),
    brokerRow('hostile', {
      name: LONG_NAME,
      legalName: HOSTILE,
      description: HOSTILE + 'x'.repeat(1800),
      tradingNames: [HOSTILE],
      entities: [{ legalName: HOSTILE, country: 'GB' }],
      licenses: [licenseRow(HOSTILE, 'fca', { permissions: [HOSTILE] })],
    }),
  ]);
  await importRows(service, 'brokers', [brokerRow('ceased', { status: 'ceased', successor: 'reviewed' })]);
  await importRows(service, 'reviews', [
    ...Array.from({ length: 23 }, (_, at) => review(at + 1)),
    review(24, { title: HOSTILE, content: 'ش'.repeat(5000), language: 'ar', rating: 1 }),
    review(25, { reply: { content: `Reply ${HOSTILE}`, createdAt: '2026-04-01T00:00:00Z' } }),
  ]);
  await service.settle();
  expect((await service.client().brokers.get('reviewed')).ratingSummary.count).toBe(25);
});
afterAll(() => service?.remove());

const open = async (path: string): Promise<string> => {
  const { status, text } = await send(`${service.origin}${path}`, { headers: { Accept: 'text/html' } });
  expect(status).toBe(200);
  return text;
};
const toText = (html: string): string =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
/** Returns the HTML from a start to an end. */
const after = (html: string, start: string, end: string): string => {
  const at = html.indexOf(start);
  expect(at, start).toBeGreaterThan(-1);
  return html.slice(at, html.indexOf(end, at));
};
const all = (html: string, pattern: RegExp): (string | undefined)[] =>
  [...html.matchAll(pattern)].map(([, found]) => found);

describe('the first screen', () => {
  test.each<[string, RegExp, string[]]>([
    ['reviewed', /reviewed.*\d\d?\.\d of 100.*(Good|Mixed|Poor).*Last check 5 Jan 2026/, []],
    [
      'warned',
      /warned.*Authority warning.*Do not pay.*Office .*1 Jan 2026.*Read the warnings.*19\.0 of 100 Poor.*Last check/,
      ['hero-alarm', 'hero-alarm unconfirmed', 'hero-notice'],
    ],
    [
      'unsure',
      /unsure.*not confirmed yet.*Office .*2 Jan 2026.*No person has checked yet.*of 100/,
      ['hero-alarm unconfirmed'],
    ],
    [
      'claimed',
      /claimed.*Licences 1 licence confirmed by its register, 2 claimed, not confirmed , best tier 1 of 4/,
      [],
    ],
    [
      'unlicensed',
      /unlicensed.*No licence is confirmed.*Do not pay.*of 100.*No licence is confirmed, 1 claimed/,
      ['hero-alarm'],
    ],
    ['clone', /clone.*Suspected clone.*Last check/, ['hero-alarm']],
    ['ceased', /ceased.*ceased business.*business went to reviewed .*Not rated/, ['hero-notice']],
    ['unrated', /unrated.*Do not pay.*Not rated.*never compared with the registers.*Last check Never/, ['hero-alarm']],
  ])('the first screen of %s says what matters, in its order', async (slug, words, boxes) => {
    const hero = after(await open(`/brokers/${slug}`), '<header class="hero', '</header>');
    expect(toText(hero)).toMatch(words);
    expect(all(hero, /<section class="(hero-[a-z -]+)"/g)).toEqual(boxes);
    expect(all(hero, /<section class="(verdict)"/g)).toEqual(['verdict']);
  });

  test('shows neither a score nor licences nor evidence of a suspected clone, and no evidence beside a warning', async () => {
    const openHero = async (slug: string) =>
      toText(after(await open(`/brokers/${slug}`), '<header class="hero', '</header>'));
    expect(await openHero('clone')).not.toMatch(/of 100|Poor|[Ll]icences? |Evidence/);
    expect(await openHero('warned')).not.toContain('Evidence');
    expect(await openHero('reviewed')).toMatch(/Evidence (weak|medium|strong)/);
  });

  test('each warning is told once: who warned on the first screen, and its text below', async () => {
    for (const slug of ['warned', 'unsure']) {
      const html = await open(`/brokers/${slug}`);
      const { warnings } = await service.client().brokers.get(slug);
      for (const { title } of warnings) expect(html.split(`<bdi>${title}</bdi>`), title).toHaveLength(2);
      expect(after(html, '<header class="hero', '</header>')).not.toContain('<bdi>Warning ');
    }
  });

  test('the first screen is in German too', async () => {
    const hero = after(await open('/de/brokers/reviewed'), '<header class="hero', '</header>');
    expect(toText(hero)).toMatch(/von 100 (Gut|Gemischt|Schlecht).*Letzte Prüfung 05\.01\.2026/);
  });
});

const ORDER = [
  'warnings',
  'licences',
  'score',
  'complaints',
  'reviews',
  'history',
  'check',
  'unknown',
  'firm',
  'disclosures',
  'moderation',
  'sources',
  'takePart',
];

describe('the sections', () => {
  test.each(['reviewed', 'warned', 'clone', 'ceased', 'unrated'])(
    'the sections of %s come in the order of what matters, after the verdict',
    async (slug) => {
      const html = await open(`/brokers/${slug}`);
      expect(all(html, /<section class="part" id="(\w+)"/g)).toEqual(ORDER);
      expect(html.indexOf('<section class="verdict"')).toBeLessThan(html.indexOf('id="warnings"'));
      expect(html).toContain(`<a href="/brokers/${slug}/proof">`);
      expect(html).not.toContain('<form hidden data-script');
    },
  );

  test('the sections have the numbers of the API: what each part adds, and the caps', async () => {
    const html = await open('/brokers/warned');
    const { score } = await service.client().brokers.get('warned');
    const rows = [
      ...html.matchAll(
        /data-component="(\w+)">\s*<tr>.*?<td class="number">([\d.]+)<\/td><td class="number">(\d+)%<\/td><td class="number">([\d.]+)<\/td>/gs,
      ),
    ];
    expect(rows.map(([, key, points, weight, adds]) => [key, points, Number(weight), adds])).toEqual(
      score.components.map(({ key, score: points, weight, contribution }) => [
        key,
        points.toFixed(1),
        Math.round(weight * 100),
        contribution.toFixed(2),
      ]),
    );
    expect(all(html, /data-cap="(\w+)"/g)).toEqual(score.caps.map(({ code }) => code));
    expect(toText(html)).toMatch(/The lowest limit takes the score from \d+\.\d to 19\.0\./);
    expect(toText(html)).toMatch(/19\.0 of 100, “Poor”: its five parts, .*, add up to [2-9]\d\.\d, and a limit lowers/);
    expect(toText(html)).not.toContain('is the sum of five parts');
  });

  test('the sections show each warning as what it is, those that stand first', async () => {
    const section = after(await open('/brokers/warned'), 'id="warnings"', '</section>');
    expect(all(section, /data-warning="(\w+)"/g)).toEqual(['confirmed', 'unchecked', 'clone', 'past', 'past']);
    const words = toText(section);
    expect(words).toMatch(/Warning 2 .*Not confirmed: matched automatically.*Warning 3 .*pretends to be this firm/);
    expect(words).toMatch(/by mistake until 2 Feb 2026.*Withdrawn by the authority on 1 Feb 2026/);
    expect(words).not.toContain('No warning about this firm is known');
    expect(section).toContain('<a href="https://office.example/1" rel="nofollow noopener external">');
    expect(toText(after(await open('/brokers/clone'), 'id="warnings"', '</section>'))).toMatch(
      /No warning.*not make it safe/,
    );
  });

  test('the sections link to the site of a firm, but not of one that is suspected or warned of', async () => {
    const linked = (slug: string) =>
      open(`/brokers/${slug}`).then((html) => html.includes(`href="https://${slug}.example/"`));
    expect(await Promise.all(['reviewed', 'unsure', 'warned', 'clone'].map(linked))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('the chart draws no licence as held that is only applied for or claimed', async () => {
    const chart = after(await open('/brokers/claimed/history'), 'data-chart="licenses"', '</figure>');
    expect(toText(chart)).toContain('not known to be held');
    expect(toText(chart)).not.toContain('held, but');
  });

  test('the sections say “not known” instead of yes, no or 0', async () => {
    const unrated = await open('/brokers/unrated');
    expect(all(unrated, /data-unknown="(\w+)"/g)).toEqual(
      expect.arrayContaining([
        'neverChecked',
        'noLicences',
        'noEntities',
        'noReviews',
        'noComplaints',
        'foundedYear',
        'lei',
      ]),
    );
    const words = toText(unrated);
    expect(words).toContain('No licence of this broker is known.');
    expect(words).toMatch(/Founded not known/);
    expect(words).not.toMatch(/\b0\.0 of 100/);
    const reviewed = await open('/brokers/reviewed');
    expect(all(reviewed, /data-met="(\w+)"/g).toSorted()).toEqual([...Array(9).fill('null'), 'false'].toSorted());
  });

  test('the sections show each licence with its state, ended ones last', async () => {
    const section = after(await open('/brokers/reviewed'), 'id="licences"', '</section>');
    expect(all(section, /data-licence="(\w+)"/g)).toEqual(['active', 'revoked']);
    expect(toText(section)).toMatch(
      /Active since a day that is not known.*Counts.*Revoked since 5 May 2025.*Does not count/,
    );
    expect(section).toContain('href="/regulators/fca"');
  });

  test('the sections say what became of all reviews, and how to send one', async () => {
    const words = toText(await open('/brokers/reviewed'));
    expect(words).toMatch(/Published 25 .*Received 25/);
    expect(words).toContain('You sign in for both.');
    expect(toText(await open('/brokers/ceased'))).not.toContain('Write a review You need');
  });

  test('the sections have headings in order, and an anchor for each name of the contents', async () => {
    for (const slug of ['warned', 'unrated', 'reviewed']) {
      const html = await open(`/brokers/${slug}`);
      const levels = all(html, /<h(\d)/g).map(Number);
      expect(levels.filter((level) => level === 1)).toEqual([1]);
      for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
      const contents = after(html, '<nav class="page-contents"', '</nav>');
      const anchors = all(contents, /href="#(\w+)"/g);
      expect(anchors.length).toBeGreaterThan(9);
      for (const anchor of anchors) expect(html).toContain(`id="${anchor}"`);
      const folded = after(html, '<details class="page-contents-fold"', '</details>');
      expect(all(folded, /href="#(\w+)"/g)).toEqual(anchors);
    }
  });
});

describe('reviews', () => {
  test('reviews are read page by page, each once, from an address that stays', async () => {
    const pages = [await open('/brokers/reviewed/reviews')];
    const older = (html: string) => /href="([^"]+)" rel="next"/.exec(html)?.[1];
    for (let next = older(pages[0] as string); next; next = older(pages.at(-1) as string)) pages.push(await open(next));
    expect(pages.map((html) => all(html, /id="review-(\w+)"/g).length)).toEqual([20, 5]);
    expect(new Set(pages.flatMap((html) => all(html, /id="review-(\w+)"/g))).size).toBe(25);
    const [second] = all(pages[1] as string, /href="([^"]+cursor=[^"]+#review-\w+)"/g);
    expect(await open((second as string).split('#')[0] as string)).toContain(`id="${second?.split('#')[1]}"`);
    expect(pages.map((html) => html.includes('noindex'))).toEqual([false, true]);
  });

  test('reviews have their reply, language and direction, and the broker’s page has the newest in short', async () => {
    const html = await open('/brokers/reviewed');
    expect(all(html, /id="review-(\w+)"/g)).toHaveLength(5);
    expect(html).toMatch(/Reply of the broker, .*?Reply &quot;/s);
    expect(html).toMatch(/<h3 lang="ar" dir="auto">/);
    expect(html).toMatch(/<p class="prose">ش{600}<\/p><details class="more">/);
    expect(await open('/brokers/reviewed/reviews')).toContain('ش'.repeat(5000));
  });

  test('the reviews of a broker without any are an empty page that says so', async () => {
    expect(toText(await open('/brokers/clone/reviews'))).toContain('No review of a person with a verified identity');
  });
});

test('hostile texts are text on every page', async () => {
  for (const path of ['/brokers/hostile', '/brokers/warned', '/brokers/reviewed', '/brokers/reviewed/reviews']) {
    const html = await open(path);
    expect(html).not.toMatch(/<script>|<img|<[^>]*\son\w+=|\sstyle=/);
    const apart =
      /<script type="application\/ld\+json">[^<]*<|<bdi>[^<]*<\/bdi>|<(h2|h3|p)[^>]*(dir="auto"|class="prose")[^>]*>[^<]*</g;
    expect(html.slice(html.indexOf('<main')).replaceAll(apart, '')).not.toContain('\u202e');
  }
});
