import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../languages.ts';
import type { PrivateContext, Visitor } from '../page.ts';
import type { AnsweredFirm } from './actions.ts';
import { DISPUTE_PAGES } from './pages.ts';

const ATTACK = '"><script>alert(1)</script>';
const TIME = '2026-11-03T12:00:00.000Z';

const FIRM: AnsweredFirm = {
  slug: 'alpha',
  name: `Alpha ${ATTACK}`,
  mayReply: true,
  complaints: [
    {
      reference: 'C-2222222222',
      title: ATTACK,
      content: ATTACK,
      author: ATTACK,
      occurredAt: TIME,
      amount: { amount: '10.50', currency: 'EUR' },
      desiredResolution: ATTACK,
      forwardedAt: TIME,
      dueAt: TIME,
      finalAt: TIME,
      respondedAt: undefined,
      answer: undefined,
      isOpen: true,
    },
  ],
  replies: [{ id: 're_1', reviewId: 'r1', status: 'waiting', reason: undefined, content: ATTACK, createdAt: TIME }],
  disputes: [
    {
      reference: 'D-2222222222',
      field: 'licenses',
      status: 'open',
      since: TIME,
      dueAt: TIME,
      text: ATTACK,
      evidence: ['https://register.example/1'],
      note: undefined,
    },
  ],
};
const REVIEW = {
  id: 'b'.repeat(24),
  brokerSlug: 'alpha',
  rating: 1,
  title: ATTACK,
  content: ATTACK,
  language: 'en',
  author: { displayName: ATTACK },
  identityVerified: true,
  createdAt: TIME,
  publishedAt: TIME,
};
const visitor: Visitor = {
  label: ATTACK,
  method: 'link',
  isVerified: false,
  isFresh: true,
  brokers: [{ slug: 'alpha', name: FIRM.name }],
  operator: undefined,
};

const findPage = (path: string) => {
  const page = DISPUTE_PAGES.find((one) => one.path === path);
  if (!page) throw new Error(path);
  return page;
};

describe.each(LANGUAGES.map((language) => ({ name: language.texts.name, language })))('in $name', ({ language }) => {
  const createContext = (firm: AnsweredFirm | undefined): PrivateContext =>
    ({
      ...language,
      publicUrl: 'https://ratings.example',
      version: '1',
      asset: (name: string) => `/assets/${name}`,
      has: () => true,
      operator: { contact: 'desk@ratings.example' },
      path: '/answer',
      query: '',
      now: new Date('2026-11-10T00:00:00Z'),
      asOf: () => new Date(TIME),
      visitor,
      formToken: 'token',
      client: {
        brokers: { get: async () => ({ slug: 'alpha', name: FIRM.name }) },
        reviews: { list: async () => ({ data: [REVIEW], pagination: { nextCursor: null } }) },
      },
      actions: {
        disputes: {
          claim: async () => undefined,
          readFirm: async () => firm,
          readComplaint: async () => firm?.complaints[0],
          readReview: async () => (firm ? REVIEW : undefined),
          dispute: async () => 'conflict',
          reply: async () => 'conflict',
          answerComplaint: async () => 'conflict',
          withdrawReply: async () => 'conflict',
          resign: async () => 'done',
          withdrawDispute: async () => 'done',
        },
      },
    }) as unknown as PrivateContext;

  const params = { slug: 'alpha', reference: 'C-2222222222', id: REVIEW.id };
  const fields = {
    field: 'name',
    text: `${ATTACK} and more words`,
    evidence: '',
    code: ATTACK,
    reply: ATTACK,
    answer: ATTACK,
    do: 'withdraw-reply',
  };

  test.each(DISPUTE_PAGES.map(({ path }) => path))(
    '%s shows no text of people as HTML, and names each field',
    async (path) => {
      const page = findPage(path);
      const shown = [
        await page.render(createContext(FIRM), { params, query: {} }),
        await page.submit?.(createContext(FIRM), { params, query: {} }, fields),
      ];
      for (const answer of shown) {
        if (!answer || !('html' in answer)) throw new Error(JSON.stringify(answer));
        expect(answer.html.text).not.toContain('<script>alert');
        const text = answer.html.text.slice(answer.html.text.indexOf('<main'));
        const controls = [...text.matchAll(/<(?:input|select|textarea)(?![^>]*type="hidden")[^>]*>/g)].map(
          ([tag]) => tag,
        );
        for (const control of controls) {
          const id = / id="([^"]+)"/.exec(control)?.[1];
          expect(text).toMatch(new RegExp(`<label[^>]* for="${id}"`));
          for (const described of (/aria-describedby="([^"]+)"/.exec(control)?.[1] ?? '').split(' ').filter(Boolean))
            expect(text).toContain(`id="${described}"`);
        }
      }
      expect(shown[1]).toMatchObject({ status: expect.toSatisfy((status) => status === 422 || status === 409) });
    },
  );

  test.each(DISPUTE_PAGES.map(({ path }) => path).filter((path) => path.startsWith('/answer/')))(
    '%s is missing for people who do not answer for the firm',
    async (path) => {
      const page = findPage(path);
      const asked = { params, query: {} };
      expect(await page.render(createContext(undefined), asked)).toEqual({ isMissing: true });
      if (path !== '/answer/:slug')
        expect(await page.submit?.(createContext(undefined), asked, fields)).toEqual({ isMissing: true });
    },
  );

  test('a suspected clone finds no form to reply', async () => {
    const clone = createContext({ ...FIRM, mayReply: false });
    for (const path of ['/answer/:slug', '/answer/:slug/reviews/:id']) {
      const answer = await findPage(path).render(clone, { params, query: {} });
      const { text } = 'html' in answer ? answer.html : { text: '' };
      expect(text).toContain(language.texts.dispute.cloneReply);
      expect(text).not.toContain('name="reply"');
    }
  });

  test.each([
    [{ do: 'resign' }, 'agree-resign'],
    [{ do: 'withdraw-dispute', reference: 'D-2222222222' }, 'agree-D-2222222222'],
  ])('%o without its tick changes nothing, and asks for the tick', async (sent, tick) => {
    const page = findPage('/answer/:slug');
    const answer = await page.submit?.(createContext(FIRM), { params, query: {} }, sent);
    if (!answer || !('html' in answer)) throw new Error(JSON.stringify(answer));
    expect(answer.status).toBe(422);
    expect(answer.html.text).toContain(`id="field-${tick}-problem"`);
    const done = await page.submit?.(createContext(FIRM), { params, query: {} }, { ...sent, [tick]: 'yes' });
    expect(done).toMatchObject(sent.do === 'resign' ? { html: expect.anything() } : { seeOther: '/answer/alpha' });
  });

  test('a late answer is marked, evidence is shown, and replies stand above the reviews', async () => {
    const answer = await findPage('/answer/:slug').render(createContext(FIRM), { params, query: {} });
    const { text } = 'html' in answer ? answer.html : { text: '' };
    expect(text).toContain(`<strong>${language.texts.dispute.late}</strong>`);
    expect(text).toContain('href="https://register.example/1"');
    expect(text.indexOf('id="replies"')).toBeLessThan(text.indexOf('id="reviews"'));
  });

  test('a person who does not answer for the firm reads who can dispute a fact, and gets no form', async () => {
    const page = findPage('/brokers/:slug/dispute');
    const answer = await page.render(createContext(undefined), { params, query: {} });
    const { text } = 'html' in answer ? answer.html : { text: '' };
    expect(text).toContain(language.texts.dispute.howTitle);
    expect(text).toMatch(/href="[^"]*\/contact"/);
    expect(text).not.toContain('<textarea');
    expect(await page.submit?.(createContext(undefined), { params, query: {} }, fields)).toEqual({ isMissing: true });
  });

  const KEPT = [
    ['/brokers/:slug/dispute', 'text'],
    ['/answer/:slug/complaints/:reference', 'answer'],
    ['/answer/:slug/reviews/:id', 'reply'],
  ] as const;

  test.each(KEPT)(
    '%s keeps the text of a person whose session has ended, so that they can sign in and send it again',
    async (path, name) => {
      const page = findPage(path);
      const context = createContext(undefined);
      const said = language.texts.write.ended;
      const nobody = await page.keep?.(
        { ...context, visitor: undefined, formToken: '' },
        { params, query: {} },
        fields,
      );
      if (!nobody || !('html' in nobody)) throw new Error(JSON.stringify(nobody));
      expect(nobody.status).toBe(403);
      expect(nobody.html.text).toMatch(new RegExp(`<textarea [^>]*name="${name}"[^>]*>\\n&quot;&gt;&lt;script&gt;`));
      expect(nobody.html.text).toMatch(/href="[^"]*\/sign-in\?to=%2Fanswer" target="_blank"/);
      expect(nobody.html.text).toContain(said.text);
      const again = await page.keep?.(context, { params, query: {} }, fields);
      const { text } = again && 'html' in again ? again.html : { text: '' };
      expect([text.includes(said.again), text.includes('name="form-token" value="token"')]).toEqual([true, true]);
      expect(await page.keep?.(context, { params, query: {} }, { [name]: ' ' })).toBeUndefined();
    },
  );

  test.each(KEPT.slice(1))('%s shows a text again that came too late, and says why it did', async (path, name) => {
    const context = createContext(FIRM);
    const { disputes } = context.actions;
    const gone = { ...disputes, readComplaint: async () => undefined, readReview: async () => undefined };
    const late = { ...context, actions: { ...context.actions, disputes: gone } };
    const answer = await findPage(path).submit?.(late, { params, query: {} }, fields);
    if (!answer || !('html' in answer)) throw new Error(JSON.stringify(answer));
    expect(answer.status).toBe(409);
    const { faults } = language.texts.dispute;
    expect(answer.html.text).toContain(name === 'answer' ? faults.complaint : faults.replyGone);
    expect(answer.html.text).toMatch(/<textarea [^>]*readonly[^>]*>\n&quot;&gt;&lt;script&gt;/);
    const render = await findPage(path).render(late, { params, query: {} });
    expect(render).toEqual({ isMissing: true });
  });

  test('the sign-in leads a person back to the dispute, in their language', async () => {
    const nobody = { ...createContext(undefined), visitor: undefined };
    const answer = await findPage('/brokers/:slug/dispute').submit?.(nobody, { params, query: {} }, { field: 'name' });
    expect(answer).toEqual({ seeOther: '/sign-in?to=%2Fbrokers%2Falpha%2Fdispute' });
  });
});
