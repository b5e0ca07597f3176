import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import {
  answerComplaint,
  concludeComplaint,
  correctComplaint,
  forwardComplaint,
  screenComplaint,
} from '../../features/complaints/actions.ts';
import { advanceComplaintClocks } from '../../features/complaints/clocks.ts';
import { decideReview, restoreReview, withholdReview } from '../../features/moderation/actions.ts';
import { replyForFirm } from '../../features/replies/actions.ts';
import { merge, rename } from '../identity.ts';
import { FICTIONAL } from './brokers.ts';
import { addDays, subtractDays, toCalendarDate } from './calendar.ts';
import { createChecklist, createProvenance } from './disclosures.ts';
import { createRandom } from './random.ts';
import {
  changeLicense,
  confirmWarning,
  findReviewId,
  lookAndState,
  publishReview,
  readWarning,
  restate,
  type StoryAction,
  sendComplaint,
  undoWarning,
  verifyAuthors,
  withComplaint,
  writeReview,
} from './story.ts';

/** An event of a story, in days before the last day of the demo. */
export type DemoEvent = readonly [days: number, act: StoryAction];

/** A licence of a firm of the stories. */
interface StoryGrant {
  readonly regulatorCode: string;
  readonly years: number;
}

interface StoryFirm {
  readonly name: string;
  readonly country: string;
  readonly grants?: readonly StoryGrant[];
  readonly status?: BrokerRecord['status'];
}

const createLicenses = ({ name, grants = [] }: StoryFirm, slug: string, anchor: Date): LicenseRecord[] =>
  grants.map(({ regulatorCode, years }, index) => {
    const start = subtractDays(anchor, Math.round(years * 365.25));
    const referenceNumber = `DEMO-${slug}-${index + 1}`;
    return {
      entity: { legalName: `${name} Ltd` },
      regulatorCode,
      referenceNumber,
      type: 'authorisation',
      status: 'active',
      statusEffectiveAt: start.toISOString(),
      activeSince: toCalendarDate(start),
      permissions: ['Execution of orders on behalf of clients'],
      issuedAt: start.toISOString(),
      sourceUrl: `https://registers.example/${regulatorCode}/${referenceNumber}`,
      lastVerifiedAt: null,
    };
  });

/** Returns the initial facts of a firm of the stories. */
const createRecord = (firm: StoryFirm, slug: string, anchor: Date): BrokerRecord => {
  const random = createRandom('stories', slug);
  const { name, country, status = 'operating' } = firm;
  const site = `https://${slug}.example`;
  return {
    slug,
    name,
    legalName: `${name} Ltd`,
    tradingNames: [],
    website: site,
    domains: [`${slug}.example`],
    country,
    foundedYear: status === 'operating' ? anchor.getUTCFullYear() - 12 : null,
    description: `${FICTIONAL} It has a part in a story of the demo.`,
    status,
    licensesCheckedAt: null,
    entities: [{ legalName: `${name} Ltd`, country, retailClients: true }],
    checklist: createChecklist(site, status === 'operating' ? 0.9 : 0.1, random, anchor),
    warnings: [],
    provenance: createProvenance(site, true, random, anchor),
    licenses: createLicenses(firm, slug, anchor),
  };
};

const UK = { country: 'GB', grants: [{ regulatorCode: 'fca', years: 9 }] } as const;
const BOTH = { country: 'GB', grants: [...UK.grants, { regulatorCode: 'cysec', years: 6 }] } as const;
const CYPRUS = { country: 'CY', grants: [{ regulatorCode: 'cysec', years: 7 }] } as const;

const FIRMS: Readonly<Record<string, StoryFirm>> = {
  'lapsewick-markets': { name: 'Lapsewick Markets', ...UK },
  'twinmere-fx': { name: 'Twinmere FX', ...BOTH },
  'mergewick-brokers': { name: 'Mergewick Brokers', ...CYPRUS },
  'heirmont-capital': { name: 'Heirmont Capital', ...BOTH },
  'mistmark-trading': { name: 'Mistmark Trading', ...UK },
  'lateleigh-invest': { name: 'Lateleigh Invest', ...CYPRUS },
  'amendale-direct': { name: 'Amendale Direct', ...CYPRUS },
  'hushwell-securities': { name: 'Hushwell Securities', ...UK },
  'erracombe-fx': { name: 'Erracombe FX', ...CYPRUS },
  'formerby-forex': { name: 'Formerby Forex', ...UK },
  'endmoor-prime': { name: 'Endmoor Prime', ...CYPRUS },
  'pausewick-exchange': { name: 'Pausewick Exchange', ...UK },
  'risewell-trading': { name: 'Risewell Trading', country: 'VC' },
};

const CLONE = 'twinmere-fx-global';
const CLONE_FIRM: StoryFirm = { name: 'Twinmere FX Global', country: 'KM', status: 'suspected_clone' };

/** The first slug of every firm of the stories. */
export const STORY_SLUGS: readonly string[] = [...Object.keys(FIRMS), CLONE];

/** Checks all firms of the stories again. */
const lookAgain: StoryAction = (moment) => lookAndState(...moment.firms.values())(moment);

const grantLicense =
  (slug: string, one: StoryGrant): StoryAction =>
  (moment) =>
    restate(slug, ({ name, licenses = [] }) => {
      const country = FIRMS[slug]?.country as string;
      return {
        licenses: [
          ...licenses,
          ...createLicenses({ name, country, grants: [one] }, `${slug}-${one.regulatorCode}`, moment.anchor),
        ],
      };
    })(moment);

const EXPERIENCE = 'I have traded there for a year, with small amounts and without any trouble.';

const begin: StoryAction = async (moment) => {
  await verifyAuthors('ana', 'ben', 'carla', 'dov', 'elif')(moment);
  const records = Object.entries(FIRMS).map(([slug, firm]) => createRecord(firm, slug, moment.anchor));
  await lookAndState(...records)(moment);
};

const createOpinion = (by: string, rating: number, title: string, content = EXPERIENCE) => ({
  by,
  rating,
  title,
  content,
});

/** The stories of the demo. Each is a list of events; everybody in them is fictional. */
export const STORIES: Readonly<Record<string, readonly DemoEvent[]>> = {
  'all firms of the stories are known, and their authors verified': [[547.6, begin]],
  'a licence is lost, and an authority warns': [
    [520, writeReview('lapsewick-markets', createOpinion('ana', 4, 'Quick orders'))],
    [519, publishReview('lapsewick-markets', 'ana')],
    [410, changeLicense('lapsewick-markets', 'fca', { status: 'revoked', days: 414 })],
    [380, readWarning('lapsewick', { names: ['Lapsewick Markets'], domains: ['lapsewick-markets.example'] })],
    [379.9, confirmWarning('lapsewick', 'lapsewick-markets', 'this_firm')],
  ],
  'a clone of a firm appears': [
    [
      300,
      readWarning('twinmere', {
        names: ['Twinmere FX Global'],
        victims: ['Twinmere FX'],
        domains: [`${CLONE}.example`],
        mentionsClone: true,
        category: '[Demo] Clone',
      }),
    ],
    [299.9, confirmWarning('twinmere', 'twinmere-fx', 'clone_of_it')],
    [299, (moment) => lookAndState(createRecord(CLONE_FIRM, CLONE, moment.anchor))(moment)],
    [298.9, confirmWarning('twinmere', CLONE, 'this_firm')],
  ],
  'a firm is merged into its successor': [
    [480, writeReview('mergewick-brokers', createOpinion('ben', 3.5, 'Solid'))],
    [479, publishReview('mergewick-brokers', 'ben')],
    [470, writeReview('heirmont-capital', createOpinion('carla', 4.5, 'Good support'))],
    [469, publishReview('heirmont-capital', 'carla')],
    [213, changeLicense('mergewick-brokers', 'cysec', { status: 'withdrawn', days: 214 })],
    [
      210,
      async (moment) => {
        await merge(moment.context, 'mergewick-brokers', { into: 'heirmont-capital', dryRun: false });
        moment.firms.delete('mergewick-brokers');
      },
    ],
  ],
  'a warning is published by mistake, and corrected': [
    [260, readWarning('mistmark', { names: ['Mistmark Trading'], domains: ['mistmark-invest.example'] })],
    [259.9, confirmWarning('mistmark', 'mistmark-trading', 'this_firm')],
    [250, undoWarning('mistmark', 'mistmark-trading')],
  ],
  'a complaint is answered late': [
    [
      170,
      sendComplaint('lateleigh-invest', 'dov', {
        title: 'My withdrawal takes weeks',
        content: 'I asked for my balance three weeks ago, and have heard nothing since.',
      }),
    ],
    [169, withComplaint('lateleigh-invest', screenComplaint)],
    [168, withComplaint('lateleigh-invest', forwardComplaint)],
    [152, ({ context }) => advanceComplaintClocks(context)],
    [140, withComplaint('lateleigh-invest', (context, reference) => answerComplaint(context, reference, {}))],
    [136, withComplaint('lateleigh-invest', (context, reference) => concludeComplaint(context, reference, 'refunded'))],
  ],
  'the outcome of a complaint is corrected by a second person': [
    [
      130,
      sendComplaint('amendale-direct', 'elif', {
        title: 'A fee that nobody named',
        content: 'My withdrawal cost a fee that is on no list. I ask for it back.',
      }),
    ],
    [129, withComplaint('amendale-direct', screenComplaint)],
    [128, withComplaint('amendale-direct', forwardComplaint)],
    [120, withComplaint('amendale-direct', (context, reference) => answerComplaint(context, reference, {}))],
    [
      118,
      withComplaint('amendale-direct', (context, reference) =>
        concludeComplaint(context, reference, 'insufficient_answer'),
      ),
    ],
    [
      108,
      ({ second, known }) =>
        correctComplaint(second, known.get('complaint amendale-direct') as string, {
          code: 'wrong_outcome',
          outcome: 'refunded',
        }),
    ],
  ],
  'a review is withheld while a claim is examined, and comes back': [
    [
      122,
      writeReview(
        'hushwell-securities',
        createOpinion('ana', 1.5, 'They did not pay', 'My withdrawal was refused twice, and nobody told me why.'),
      ),
    ],
    [121, publishReview('hushwell-securities', 'ana')],
    [
      100,
      (moment) =>
        withholdReview(moment.context, findReviewId(moment, 'hushwell-securities', 'ana'), {
          reasonCode: 'insult',
          note: 'The firm says that the author never was a client.',
          days: 30,
        }),
    ],
    [
      85,
      (moment) => restoreReview(moment.second, findReviewId(moment, 'hushwell-securities', 'ana'), 'claim_dismissed'),
    ],
  ],
  'a review is taken down by mistake, and comes back with a reply': [
    [330, writeReview('erracombe-fx', createOpinion('ben', 5, 'Never a problem'))],
    [329, publishReview('erracombe-fx', 'ben')],
    [
      320,
      (moment) =>
        decideReview(moment.context, findReviewId(moment, 'erracombe-fx', 'ben'), {
          kind: 'remove',
          reasonCode: 'advertising',
          note: 'It reads like an advertisement.',
        }),
    ],
    [318, (moment) => restoreReview(moment.second, findReviewId(moment, 'erracombe-fx', 'ben'), 'our_error')],
    [
      310,
      (moment) =>
        replyForFirm(moment.context, findReviewId(moment, 'erracombe-fx', 'ben'), 'Thank you for your patience.'),
    ],
  ],
  'a firm gets another name': [
    [
      61,
      async (moment) => {
        await rename(moment.context, 'formerby-forex', { to: 'nowsby-forex', dryRun: false });
        const record = moment.firms.get('formerby-forex') as BrokerRecord;
        moment.firms.delete('formerby-forex');
        await lookAndState({ ...record, slug: 'nowsby-forex', name: 'Nowsby Forex', tradingNames: ['Formerby Forex'] })(
          moment,
        );
      },
    ],
  ],
  'a firm ends': [
    [240, changeLicense('endmoor-prime', 'cysec', { status: 'withdrawn', days: 241 })],
    [239.9, restate('endmoor-prime', () => ({ status: 'ceased' }))],
  ],
  'a licence is suspended, and in force again': [
    [458, changeLicense('pausewick-exchange', 'fca', { status: 'suspended', days: 460 })],
    [399, changeLicense('pausewick-exchange', 'fca', { status: 'active', days: 400 })],
  ],
  'a firm without a licence gets two': [
    [350, grantLicense('risewell-trading', { regulatorCode: 'cysec', years: 351 / 365.25 })],
    [150, grantLicense('risewell-trading', { regulatorCode: 'fca', years: 151 / 365.25 })],
  ],
  'everything is looked at again on the last day': [[0.01, lookAgain]],
};

/** Returns the time of an event. */
export const findTime = ([days]: DemoEvent, anchor: Date): Date => addDays(anchor, -days);
