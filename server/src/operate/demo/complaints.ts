import { COMPLAINT_CATEGORIES } from '@broker-transparency/contract';
import type { ComplaintDocument } from '../../features/complaints/actions.ts';
import { COMPLAINT_CLOCK } from '../../features/complaints/policy.rule.ts';
import { apportion } from './apportion.ts';
import type { DemoBroker } from './brokers.ts';
import { addDays, interpolateDate, pickEarlier, subtractDays } from './calendar.ts';
import { GRIEVANCES } from './grievances.ts';
import { createRandom, type DemoRandom } from './random.ts';
import { CURRENCIES } from './words.ts';

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';

type ComplaintClocks = Pick<ComplaintDocument, 'status' | 'createdAt' | 'forwardedAt' | 'respondedAt' | 'closedAt'>;

/** States of a complaint at the anchor. `over` complaints have received an answer or passed their final date. */
const STAGES = [
  ...Array<'over'>(37).fill('over'),
  ...(['received', 'screening', 'forwarded', 'overdue', 'responded'] as const),
  ...(['rejected', 'rejected', 'withdrawn', 'withdrawnLater'] as const),
] as const;
type ComplaintStage = (typeof STAGES)[number];

/** Age range in days of complaints at each stage, so that all clocks are consistent. */
const AGE: Readonly<Record<ComplaintStage, readonly [number, number]>> = {
  received: [0.1, 3],
  screening: [3, 8],
  forwarded: [5, 14],
  overdue: [20, 55],
  responded: [20, 50],
  over: [70, 1500],
  rejected: [10, 1500],
  withdrawn: [10, 1500],
  withdrawnLater: [70, 1500],
};

/** Returns the dates of a complaint that has ended. */
const createEndedClocks = (
  createdAt: Date,
  forwardedAt: Date,
  { archetype }: DemoBroker,
  random: DemoRandom,
): ComplaintClocks => {
  const { dueDays, finalDays } = COMPLAINT_CLOCK;
  const timely = random.chance(archetype.timely);
  const respondedAt = addDays(forwardedAt, timely ? 1 + random.next() * (dueDays - 2) : dueDays + random.next() * 30);
  const finalAt = addDays(forwardedAt, finalDays);
  const closedAt = pickEarlier(addDays(respondedAt, 1 + random.next() * 14), finalAt);
  if (random.chance(archetype.resolved)) return { status: 'resolved', createdAt, forwardedAt, respondedAt, closedAt };
  return timely || random.chance(0.4)
    ? { status: 'unresolved', createdAt, forwardedAt, respondedAt, closedAt }
    : { status: 'unresolved', createdAt, forwardedAt, closedAt: finalAt };
};

const createClocks = (stage: ComplaintStage, broker: DemoBroker, random: DemoRandom, anchor: Date): ComplaintClocks => {
  const [min, max] = AGE[stage];
  const part = random.next();
  const createdAt = subtractDays(anchor, min + (max - min) * part * part);
  const forwardedAt = addDays(createdAt, 1 + random.next() * 3);
  const closedAt = addDays(createdAt, 1 + random.next() * 6);
  const respondedAt = interpolateDate(forwardedAt, addDays(forwardedAt, 14), 0.1 + 0.9 * random.next());
  switch (stage) {
    case 'received':
    case 'screening':
      return { status: stage, createdAt };
    case 'forwarded':
    case 'overdue':
      return { status: 'forwarded', createdAt, forwardedAt };
    case 'responded':
      return { status: 'responded', createdAt, forwardedAt, respondedAt };
    case 'over':
      return createEndedClocks(createdAt, forwardedAt, broker, random);
    case 'rejected':
    case 'withdrawn':
      return { status: stage, createdAt, closedAt };
    case 'withdrawnLater':
      return { status: 'withdrawn', createdAt, forwardedAt, closedAt: addDays(forwardedAt, 5) };
  }
};

const createComplaint = (broker: DemoBroker, random: DemoRandom, anchor: Date): ComplaintDocument => {
  const reference = `C-${Array.from({ length: 10 }, () => random.pick([...ALPHABET])).join('')}`;
  const category = random.pick(COMPLAINT_CATEGORIES);
  const { titles, contents, wish } = GRIEVANCES[category];
  const money = { amount: `${random.int(20, 9_000)}.${random.int(10, 99)}`, currency: random.pick(CURRENCIES) };
  const [hasMoney, hasWish, hasDate] = [random.chance(0.6), random.chance(0.5), random.chance(0.5)];
  const clocks = createClocks(random.pick(STAGES), broker, random, anchor);
  const occurredAt = subtractDays(clocks.createdAt, random.int(2, 40));
  const consents = random.chance(0.8);
  return {
    _id: reference,
    broker: broker.record.slug,
    accountId: `demo-account-${String(random.int(1, 6000)).padStart(4, '0')}`,
    kycVerified: random.chance(0.8),
    category,
    title: random.pick(titles),
    content: random.pick(contents),
    ...(hasMoney ? { amountInDispute: money } : {}),
    ...(hasDate ? { occurredAt } : {}),
    ...(hasWish ? { desiredResolution: wish } : {}),
    consentToForward: clocks.forwardedAt !== undefined || consents,
    ...clocks,
  };
};

/** Returns `total` complaints, by broker. Brokers with more clients and worse archetypes have more. */
export const createDemoComplaints = (brokers: readonly DemoBroker[], seed: string, anchor: Date, total: number) => {
  const counts = apportion(
    total,
    brokers.map(({ archetype, popularity }) => archetype.complaints * (popularity / archetype.reviews + 0.004)),
  );
  return brokers.flatMap((broker, index) => {
    const random = createRandom(seed, 'complaints', broker.record.slug);
    return Array.from({ length: counts[index] ?? 0 }, () => createComplaint(broker, random, anchor));
  });
};
