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
import { replyToReview } from '../../features/reviews/actions.ts';
import { merge, rename } from '../identity.ts';
import { FICTIONAL } from './brokers.ts';
import { daysAfter, daysBefore, toCalendarDate } from './calendar.ts';
import { checklistOf, provenanceOf } from './disclosures.ts';
import { createRandom } from './random.ts';
import {
  type Act,
  changeLicense,
  complain,
  confirmWarning,
  lookAndState,
  publish,
  readWarning,
  restate,
  reviewIn,
  undoWarning,
  verifyAuthors,
  withComplaint,
  write,
} from './story.ts';

/** An event of a story, in days before the last day of the demo. */
export type StoryEvent = readonly [days: number, act: Act];

/** A licence of a firm of the stories. */
interface Grant {
  readonly regulatorCode: string;
  readonly years: number;
}

interface Firm {
  readonly name: string;
  readonly country: string;
  readonly grants?: readonly Grant[];
  readonly status?: BrokerRecord['status'];
}

const createLicenses = ({ name, grants = [] }: Firm, slug: string, anchor: Date): LicenseRecord[] =>
  grants.map(({ regulatorCode, years }, index) => {
    const start = daysBefore(anchor, Math.round(years * 365.25));
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

/** Returns what is known of a firm of the stories in the beginning. */
const createRecord = (firm: Firm, slug: string, anchor: Date): BrokerRecord => {
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
    checklist: checklistOf(site, status === 'operating' ? 0.9 : 0.1, random, anchor),
    warnings: [],
    provenance: provenanceOf(site, true, random, anchor),
    licenses: createLicenses(firm, slug, anchor),
  };
};

const UK = { country: 'GB', grants: [{ regulatorCode: 'fca', years: 9 }] } as const;
const BOTH = { country: 'GB', grants: [...UK.grants, { regulatorCode: 'cysec', years: 6 }] } as const;
const CYPRUS = { country: 'CY', grants: [{ regulatorCode: 'cysec', years: 7 }] } as const;

const FIRMS: Readonly<Record<string, Firm>> = {
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
const CLONE_FIRM: Firm = { name: 'Twinmere FX Global', country: 'KM', status: 'suspected_clone' };

/** The first slug of every firm of the stories. */
export const STORY_SLUGS: readonly string[] = [...Object.keys(FIRMS), CLONE];

/** Looks at all firms of the stories again. */
const lookAgain: Act = (moment) => lookAndState(...moment.firms.values())(moment);

const grant =
  (slug: string, one: Grant): Act =>
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

const begin: Act = async (moment) => {
  await verifyAuthors('ana', 'ben', 'carla', 'dov', 'elif')(moment);
  const records = Object.entries(FIRMS).map(([slug, firm]) => createRecord(firm, slug, moment.anchor));
  await lookAndState(...records)(moment);
};

const opinion = (by: string, rating: number, title: string, content = EXPERIENCE) => ({ by, rating, title, content });

/** The stories of the demo. Each says what happens when; nobody in them exists. */
export const STORIES: Readonly<Record<string, readonly StoryEvent[]>> = {
  'all firms of the stories are known, and their authors verified': [[547.6, begin]],
  'a licence is lost, and an authority warns': [
    [520, write('lapsewick-markets', opinion('ana', 4, 'Quick orders'))],
    [519, publish('lapsewick-markets', 'ana')],
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
    [480, write('mergewick-brokers', opinion('ben', 3.5, 'Solid'))],
    [479, publish('mergewick-brokers', 'ben')],
    [470, write('heirmont-capital', opinion('carla', 4.5, 'Good support'))],
    [469, publish('heirmont-capital', 'carla')],
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
      complain('lateleigh-invest', 'dov', {
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
      complain('amendale-direct', 'elif', {
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
      write(
        'hushwell-securities',
        opinion('ana', 1.5, 'They did not pay', 'My withdrawal was refused twice, and nobody told me why.'),
      ),
    ],
    [121, publish('hushwell-securities', 'ana')],
    [
      100,
      (moment) =>
        withholdReview(moment.context, reviewIn(moment, 'hushwell-securities', 'ana'), {
          reasonCode: 'insult',
          note: 'The firm says that the author never was a client.',
          days: 30,
        }),
    ],
    [85, (moment) => restoreReview(moment.second, reviewIn(moment, 'hushwell-securities', 'ana'), 'claim_dismissed')],
  ],
  'a review is taken down by mistake, and comes back with a reply': [
    [330, write('erracombe-fx', opinion('ben', 5, 'Never a problem'))],
    [329, publish('erracombe-fx', 'ben')],
    [
      320,
      (moment) =>
        decideReview(moment.context, reviewIn(moment, 'erracombe-fx', 'ben'), {
          kind: 'remove',
          reasonCode: 'advertising',
          note: 'It reads like an advertisement.',
        }),
    ],
    [318, (moment) => restoreReview(moment.second, reviewIn(moment, 'erracombe-fx', 'ben'), 'our_error')],
    [
      310,
      (moment) =>
        replyToReview(moment.context, reviewIn(moment, 'erracombe-fx', 'ben'), 'Thank you for your patience.'),
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
    [350, grant('risewell-trading', { regulatorCode: 'cysec', years: 351 / 365.25 })],
    [150, grant('risewell-trading', { regulatorCode: 'fca', years: 151 / 365.25 })],
  ],
  'everything is looked at again on the last day': [[0.01, lookAgain]],
};

/** Returns the time of an event. */
export const findTime = ([days]: StoryEvent, anchor: Date): Date => daysAfter(anchor, -days);
