import { CHECKLIST_KEYS } from '@broker-transparency/contract';
import type { BrokerRecord } from '../../features/brokers/record.rule.ts';
import type { Archetype } from './archetypes.ts';
import { addDays, subtractDays } from './calendar.ts';
import type { DemoRandom } from './random.ts';

/** Returns the checklist of a broker, with some items unchecked. */
export const createChecklist = (
  site: string,
  met: number,
  random: DemoRandom,
  anchor: Date,
): BrokerRecord['checklist'] =>
  CHECKLIST_KEYS.map((key) => {
    const [missed, found] = [random.chance(0.08), random.chance(met)];
    const checkedAt = subtractDays(anchor, random.next() * 60).toISOString();
    // met 0: the broker was never checked
    if (missed || met === 0) return { key, met: null, sourceUrl: null, checkedAt: null };
    return { key, met: found, sourceUrl: found ? `${site}/legal/${key.toLowerCase()}` : null, checkedAt };
  });

type DemoWarning = BrokerRecord['warnings'][number];

/** Probabilities of an official warning: about the broker, about it but withdrawn, and about a clone of it. */
const WARNED: Readonly<Record<Archetype['key'], readonly [own: number, withdrawn: number, clone: number]>> = {
  strong: [0, 0.03, 0.12],
  solid: [0.02, 0.1, 0.06],
  mixed: [0.06, 0.08, 0],
  weak: [0.4, 0.08, 0],
  unchecked: [0.1, 0, 0],
  gone: [0.1, 0.1, 0],
};

/** Returns official warnings about a broker. Their authority is invented, too. */
export const createWarnings = (
  { slug, name, status }: Pick<BrokerRecord, 'slug' | 'name' | 'status'>,
  key: Archetype['key'],
  random: DemoRandom,
  anchor: Date,
): DemoWarning[] => {
  const warning = (about: DemoWarning['about'], title: string, withdrawn: boolean): DemoWarning => {
    const publishedAt = subtractDays(anchor, random.int(40, 900));
    return {
      source: 'Demo Warning List',
      url: `https://warnings.example/${slug}/${about.replaceAll('_', '-')}`,
      title: `[Demo] ${title} ${name}`,
      publishedAt: publishedAt.toISOString(),
      ...(withdrawn ? { withdrawnAt: addDays(publishedAt, random.int(5, 35)).toISOString() } : {}),
      about,
    };
  };
  const [own, withdrawn, clone] = WARNED[key];
  const drawn = { own: random.chance(own), withdrawn: random.chance(withdrawn), clone: random.chance(clone) };
  return [
    ...(drawn.own || status === 'suspected_clone' ? [warning('this_firm', 'Firm without authorisation:', false)] : []),
    ...(drawn.withdrawn && !drawn.own && status !== 'suspected_clone'
      ? [warning('this_firm', 'Firm without authorisation:', true)]
      : []),
    ...(drawn.clone ? [warning('clone_of_it', 'Clone of', false)] : []),
  ];
};

/** Returns the sources of a profile's facts. */
export const createProvenance = (
  site: string,
  checked: boolean,
  random: DemoRandom,
  anchor: Date,
): BrokerRecord['provenance'] =>
  ['legalName', 'entities', 'foundedYear', 'website'].map((fact, index) => {
    const opened = subtractDays(anchor, random.next() * 90).toISOString();
    const seen = random.chance(0.85);
    return {
      fact,
      sourceUrl: index < 2 ? `https://companies.example/${new URL(site).host}` : `${site}/about`,
      lastVerifiedAt: checked && seen ? opened : null,
    };
  });
