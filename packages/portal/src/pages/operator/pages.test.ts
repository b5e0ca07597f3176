import { type ModerationCounts, REASON_CODES } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../languages.ts';
import type { CustomerInterests, DisputeCounts, ModerationFigures, Operator } from '../../operator.ts';
import type { PageContext } from '../../page.ts';
import { wordFor } from '../../words.ts';
import { errorPage } from '../error.ts';
import { OPERATOR_PAGES, toDisputeRows } from './pages.ts';
import { renderSecurityText } from './security-text.ts';

const NOTHING_STATED: Operator = {
  name: undefined,
  address: undefined,
  country: undefined,
  contact: undefined,
  representative: undefined,
  editor: undefined,
  register: undefined,
  vatId: undefined,
  supervisor: undefined,
  privacyContact: undefined,
  correctionsContact: undefined,
  correctionsDays: undefined,
  securityContact: undefined,
  funding: undefined,
  terms: undefined,
};

const STATED: Operator = {
  name: 'Example <Ratings> Ltd',
  address: '1 Example Street',
  country: 'DE',
  contact: 'desk@ratings.example',
  representative: 'its directors',
  editor: 'its editors, 1 Example Street',
  register: 'HRB 1',
  vatId: 'DE123456789',
  supervisor: 'an authority',
  privacyContact: 'privacy@ratings.example',
  correctionsContact: 'https://ratings.example/corrections',
  correctionsDays: 14,
  securityContact: 'security@ratings.example',
  funding: 'Readers pay.',
  terms: 'https://ratings.example/terms',
};

const COUNTS: DisputeCounts = {
  reports: { received: 101, open: 102, upheld: 103 },
  appeals: { received: 104, open: 105, reversed: 106 },
  facts: { open: 201, overdue: 202, upheld: 203, rejected: 204, withdrawn: 205 },
  complaints: { open: 107, resolved: 108, unresolved: 109, rejected: 110, withdrawn: 111 },
  warnings: { waiting: 112, unchecked: 113, confirmed: 114, rejected: 115, undone: 116, ended: 117 },
};

const NOW = new Date('2026-11-28T21:00:00Z');

const BY_REASON = Object.fromEntries(
  REASON_CODES.map((code, at) => [code, at]),
) as ModerationCounts['reviews']['removed'];
const FIGURES: ModerationFigures = {
  reviews: {
    received: 9,
    pending: 1,
    published: 2,
    withheld: 3,
    withdrawn: 4,
    rejected: BY_REASON,
    removed: BY_REASON,
  },
  reports: { received: 5, open: 2, upheld: 1 },
  appeals: { received: 4, open: 1, reversed: 3 },
  delays: {
    reviews: { decided: 1234, medianDays: 1, p90Days: 3 },
    reports: { decided: 3, medianDays: 2, p90Days: 9 },
    appeals: { decided: 0, medianDays: null, p90Days: null },
  },
};

const createContext = (language: Language, operator: Operator, customers: CustomerInterests): PageContext =>
  ({
    ...language,
    publicUrl: 'https://ratings.example',
    version: '1',
    asset: (name: string) => `/assets/${name}`,
    has: () => true,
    operator,
    countDisputes: async () => COUNTS,
    readModeration: async () => FIGURES,
    readCustomers: async () => customers,
    path: '/about',
    query: '',
    now: NOW,
    asOf: () => NOW,
  }) as Partial<PageContext> as PageContext;

const render = async (
  language: Language,
  operator: Operator,
  customers: CustomerInterests = { current: 0, interested: [] },
): Promise<string> => {
  const context = createContext(language, operator, customers);
  const made = await Promise.all(OPERATOR_PAGES.map((page) => page.render(context, { params: {}, query: {} })));
  return made.map((page) => ('html' in page ? page.html.text : '')).join('\n');
};

describe.each(LANGUAGES.map((language) => ({ name: language.texts.name, language })))('in $name', ({ language }) => {
  const { operator: words } = language.texts;

  test('the pages show everything that the operator stated, escaped', async () => {
    const text = await render(language, STATED);
    for (const value of Object.values(STATED).filter((each) => each !== STATED.name && each !== STATED.country))
      expect(text).toContain(String(value));
    expect(text).toContain('Example &lt;Ratings&gt; Ltd');
    expect(text).toContain(language.format.country('DE'));
    expect(text).toContain('href="mailto:privacy@ratings.example"');
    expect(text).not.toContain(words.notStated);
    expect(text).not.toContain(words.nobody);
  });

  test('the page about moderation has the numbers by outcome, ground and reason, and the delays', async () => {
    const text = await render(language, STATED);
    const { moderationFigures: figures } = words;
    const { reasons } = language.texts.broker.moderation;
    for (const code of REASON_CODES.slice(1)) expect(text).toContain(wordFor(reasons, code));
    expect(text).not.toContain(`<th scope="row">${wordFor(reasons, String(REASON_CODES[0]))}`);
    const { number } = language.format;
    for (const part of [number(1234), figures.days({ count: 9 }), figures.none]) expect(text).toContain(part);
  });

  test('each page says that nobody answers for a service whose operator stated nothing', async () => {
    const text = await render(language, NOTHING_STATED);
    expect(text.split(words.nobody)).toHaveLength(OPERATOR_PAGES.length + 1);
    expect(text).toContain(words.notStated);
    expect(text).toContain(words.noDays);
    expect(text).toContain(words.noFurther);
    expect(text).not.toContain('mailto:');
    expect(text).not.toContain('undefined');
  });

  test('the numbers of disputes are those that were counted', async () => {
    const text = await render(language, STATED);
    for (const [row, count] of Object.entries(toDisputeRows(COUNTS)))
      expect(text).toContain(
        `${words.counts.rows[row as keyof typeof words.counts.rows]}</th><td class="number">${count}</td>`,
      );
  });

  test('customers with an interest are named, and natural persons are not', async () => {
    const since = '2026-11-01T00:00:00.000Z';
    const text = await render(language, STATED, {
      current: 2,
      interested: [
        { name: 'Alpha Group', broker: 'alpha', since, until: null },
        { name: null, broker: 'beta', since, until: since },
      ],
    });
    expect(text).toContain('<bdi>Alpha Group</bdi>');
    expect(text).toContain(words.customers.person);
    const day = language.format.day(since);
    expect(text).toContain(words.customers.open({ since: day }));
    expect(text).toContain(words.customers.ending({ since: day, until: day }));
    expect(text).toContain(`href="${language.prefix}/brokers/beta"`);
    expect(text).not.toContain(words.customers.none);
  });

  test('the footer of a page links each page about the operator that the service has', async () => {
    const text = await render(language, STATED);
    for (const name of Object.keys(words.pages)) expect(text).toContain(`<a href="${language.prefix}/${name}">`);
  });
});

test('a page in place of one that cannot be shown names the contact, if there is one', () => {
  const renderError = (operator: Operator, isFramed: boolean): string => {
    const context = createContext(LANGUAGES[0], operator, { current: 0, interested: [] });
    return errorPage(context, { code: 'not_found', requestId: 'request-1', isFramed }).text;
  };
  for (const isFramed of [true, false]) {
    expect(renderError(STATED, isFramed)).toContain('<a href="mailto:desk@ratings.example">');
    expect(renderError(NOTHING_STATED, isFramed)).not.toContain('mailto:');
  }
});

describe('security.txt', () => {
  const renderAt = (now: Date, operator: Operator = STATED, publicUrl = 'https://ratings.example') =>
    renderSecurityText({ operator, now, publicUrl });

  test('names the contact, when the file expires, its languages and its address', () => {
    expect(renderAt(NOW)).toBe(
      `Contact: mailto:security@ratings.example
Expires: 2026-12-28T00:00:00Z
Preferred-Languages: en, de, es
Canonical: https://ratings.example/.well-known/security.txt
`,
    );
  });

  test('a security.txt is missing without a contact, and names no address that is not https', () => {
    expect(renderAt(NOW, NOTHING_STATED)).toBeUndefined();
    expect(renderAt(NOW, STATED, 'http://127.0.0.1:3000')).not.toContain('Canonical');
  });

  test('always expires within 29 to 30 days', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2026-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }), (now) => {
        const expires = new Date(/Expires: (\S+)/.exec(renderAt(now) ?? '')?.[1] ?? '');
        const days = (expires.getTime() - now.getTime()) / 86_400_000;
        expect(days).toBeGreaterThan(29);
        expect(days).toBeLessThanOrEqual(30);
      }),
      { seed: 20_261_128 },
    );
  });
});
