/** Texts that a page must bear: it runs none of them, and none turns or widens the text beside it. */
import { brokerRow, licenseRow, newsRow } from '../support/records.ts';

const SCRIPT = `<script>document.title='run'</script><img src=x onerror="document.title='run'">`;
const ARABIC = 'وسيط الشفافية للأوراق المالية';
const CJK = '透明外汇经纪商株式会社';
const RIGHT_TO_LEFT = '\u202Egnihtemos\u202D \u2067hidden';
/** Letters with 20 marks above and below each. */
const ZALGO = [...'zalgo'].map((letter) => letter + '\u0301\u0323\u0489\u035C\u0308'.repeat(4)).join('');
/** 40 words; as many as a legal name has room for. */
const FORTY_WORDS = Array.from({ length: 40 }, (_, at) => `wo${at}`).join(' ');
const WITHOUT_BLANK = 'x'.repeat(5000);

export const HOSTILE = 'hostile-markets';
const NAME = `${SCRIPT} ${RIGHT_TO_LEFT}`.slice(0, 118);

export const HOSTILE_BROKERS = [
  brokerRow(HOSTILE, {
    name: NAME,
    legalName: FORTY_WORDS,
    tradingNames: [ARABIC, CJK, ZALGO.slice(0, 118), SCRIPT.slice(0, 118), 'w'.repeat(120)],
    website: `https://${'a'.repeat(60)}.example/?${'q'.repeat(200)}`,
    description: `${SCRIPT} ${RIGHT_TO_LEFT} ${ARABIC} ${CJK} ${'d'.repeat(1000)}`,
    entities: [
      { legalName: FORTY_WORDS, country: 'GB' },
      { legalName: ARABIC, country: 'AE' },
      { legalName: CJK, country: 'JP' },
    ],
    licenses: [
      licenseRow(FORTY_WORDS, 'fca', { referenceNumber: 'N'.repeat(60), permissions: ['p'.repeat(200), SCRIPT] }),
      licenseRow(ARABIC, 'asic', { status: 'suspended' }),
    ],
    warnings: [
      {
        source: `${SCRIPT} ${ARABIC}`,
        url: `https://warning.example/${'u'.repeat(300)}`,
        title: `${RIGHT_TO_LEFT} ${'w'.repeat(200)}`,
        publishedAt: '2026-10-01T00:00:00Z',
        about: 'this_firm',
      },
    ],
  }),
];

const reply = (content: string): object => ({ content: content.slice(0, 5000), createdAt: '2026-10-04T00:00:00Z' });

const author = (name: string): object => ({
  subject: `of-${name.length}`,
  displayName: [...name].slice(0, 60).join(''),
});

const review = (reference: string, over: object): object => ({
  reference,
  broker: HOSTILE,
  rating: 1.5,
  title: 'A title',
  content: 'They kept my money for weeks, and nobody ever answered.',
  language: 'en',
  author: { subject: reference, displayName: 'A person' },
  status: 'published',
  createdAt: '2026-10-02T00:00:00Z',
  publishedAt: '2026-10-03T00:00:00Z',
  ...over,
});

export const HOSTILE_REVIEWS = [
  review('hostile-1', { title: 'y'.repeat(120), content: WITHOUT_BLANK, reply: reply(`${SCRIPT} ${WITHOUT_BLANK}`) }),
  review('hostile-2', { title: ARABIC, content: `${ARABIC} `.repeat(20), language: 'ar', reply: reply(CJK) }),
  review('hostile-3', { title: SCRIPT, content: `${RIGHT_TO_LEFT} ${ZALGO} ${SCRIPT}`, author: author(ZALGO) }),
  review('hostile-4', { title: CJK, content: CJK.repeat(30), language: 'ja', author: author(RIGHT_TO_LEFT) }),
];

export const HOSTILE_NEWS = [
  newsRow(9001, {
    title: `${SCRIPT} ${'t'.repeat(100)}`,
    summary: `${RIGHT_TO_LEFT} ${ARABIC}`,
    brokerSlugs: [HOSTILE],
  }),
];
