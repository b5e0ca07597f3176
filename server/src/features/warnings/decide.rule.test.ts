import { describe, expect, test } from 'vitest';
import {
  ABOUT,
  applyDecision,
  canDecide,
  endMatch,
  evaluateMatch,
  findAnnouncement,
  isTakenBack,
  MATCH_STATES,
  type MatchState,
  type WarningDecision,
  type WarningMatch,
} from './decide.rule.ts';
import type { MatchCandidate } from './match.rule.ts';
import type { WarningState } from './warning.rule.ts';

const NOW = new Date('2026-11-02T12:00:00Z');
const LATER = new Date('2026-11-03T12:00:00Z');
const STATES = Object.keys(MATCH_STATES) as MatchState[];

const warning = (over: Partial<WarningState> = {}): WarningState => ({
  _id: 'list-1',
  source: 'list',
  authority: { code: 'fca', name: 'Financial Conduct Authority' },
  externalId: '1',
  names: ['Alpha Ltd'],
  written: ['Alpha Ltd'],
  victims: [],
  victimNumbers: [],
  victimDomains: [],
  domains: [],
  licenseNumbers: [],
  leis: [],
  publishedAt: '2026-10-01T00:00:00.000Z',
  publishedBy: null,
  withdrawnAt: null,
  url: 'https://warnings.example/1',
  category: null,
  mentionsClone: false,
  seenAt: '2026-10-02T00:00:00.000Z',
  file: 'a'.repeat(64),
  credit: null,
  ...over,
});
const found = (over: Partial<MatchCandidate> = {}): MatchCandidate => ({
  broker: {
    key: 'alpha',
    keys: ['alpha'],
    slug: 'alpha',
    name: 'Alpha',
    legalNames: [],
    tradingNames: [],
    domains: [],
    leis: [],
    licenses: [],
  },
  counts: true,
  suggests: 'about',
  evidence: [{ field: 'lei', relation: 'same', ours: 'X', theirs: 'X' }],
  grounds: ['lei:X'],
  doubts: [],
  ...over,
});
const waits = found({ counts: false, grounds: [], doubts: ['no_identifier'] });
const judged = (over: Partial<Parameters<typeof evaluateMatch>[0]> = {}) =>
  evaluateMatch({ warning: warning(), found: found(), before: undefined, isUndoneBefore: false, now: NOW, ...over });
const published = judged() as WarningMatch;
const inState = (state: MatchState): WarningMatch => ({
  ...published,
  state,
  published: state === 'unchecked' || state === 'confirmed' ? published.published : null,
});

describe('a new match', () => {
  test.each<[string, Partial<Parameters<typeof evaluateMatch>[0]>, MatchState | undefined]>([
    ['that fits surely is published', {}, 'unchecked'],
    ['that may be another waits', { found: waits }, 'waiting'],
    ['on grounds that a person took back waits', { isUndoneBefore: true }, 'waiting'],
    ['of nothing is none', { found: undefined }, undefined],
    ['of a withdrawn warning is none', { warning: warning({ withdrawnAt: '2026-10-03T00:00:00Z' }) }, undefined],
  ])('%s', (_, over, state) => {
    const match = judged(over);
    expect(match?.state).toBe(state);
    expect(match?.published?.match).toBe(state === 'unchecked' ? 'unchecked' : undefined);
  });
});

describe('a match that is published unchecked', () => {
  test('an unchecked match is not written again where nothing is new', () => {
    expect(judged({ before: published, now: LATER })).toBe(published);
  });
  test('stays where the firm has another name or site by now, and shows it', () => {
    const match = judged({
      before: published,
      found: found({ counts: false, doubts: ['other_name', 'unknown_domain'] }),
    });
    expect(match).toMatchObject({ state: 'unchecked', doubts: ['other_name', 'unknown_domain'], correctedAt: null });
  });
  test('an unchecked match is taken back where the warning itself names another site by now', () => {
    const other = found({ counts: false, doubts: ['unknown_domain'] });
    expect(judged({ before: published, found: other, isChanged: true })).toMatchObject({
      state: 'waiting',
      published: { about: 'not_this_firm' },
    });
  });
  test.each(['mentions_clone', 'no_identifier', 'several_match', 'contradicting_identifier'] as const)(
    'an unchecked match is taken back by "%s", and waits',
    (doubt) => {
      const match = judged({ before: published, found: found({ counts: false, doubts: [doubt] }), now: LATER });
      expect(match).toMatchObject({
        state: 'waiting',
        correctedAt: LATER,
        published: { about: 'not_this_firm', correctedAt: LATER.toISOString() },
      });
      expect(findAnnouncement(published.published, match?.published ?? null)).toBe('corrected');
    },
  );
  test('an unchecked match is taken back where nothing fits any more', () => {
    expect(judged({ before: published, found: undefined, now: LATER })).toMatchObject({
      state: 'ended',
      published: { about: 'not_this_firm' },
    });
  });
  test('says when its authority withdrew the warning', () => {
    const match = judged({ before: published, warning: warning({ withdrawnAt: '2026-11-03T00:00:00.000Z' }) });
    expect(match).toMatchObject({
      state: 'unchecked',
      published: { about: 'this_firm', withdrawnAt: expect.any(String) },
    });
    expect(findAnnouncement(published.published, match?.published ?? null)).toBe('withdrawn');
  });
});

test.each(['confirmed', 'rejected', 'undone'] as const)('no reading changes a match that is %s', (state) => {
  const before = inState(state);
  for (const over of [{}, { found: waits }, { found: undefined }, { isUndoneBefore: true }])
    expect(judged({ ...over, before, now: LATER })?.state).toBe(state);
});

describe('a person', () => {
  const ALLOWED: Readonly<Record<WarningDecision['kind'], readonly MatchState[]>> = {
    confirm: ['waiting', 'unchecked', 'confirmed', 'rejected', 'undone'],
    reject: ['waiting'],
    undo: ['unchecked', 'confirmed'],
  };
  const moves = STATES.flatMap((state) =>
    (['confirm', 'reject', 'undo'] as const).map((kind) => [kind, state] as const),
  );
  test.each(moves)('the table says if a person may %s what is %s', (kind, state) => {
    expect(canDecide(state, kind)).toBe(ALLOWED[kind].includes(state));
  });
  test('publishes by confirming, and takes back by undoing', () => {
    for (const about of Object.keys(ABOUT) as (keyof typeof ABOUT)[]) {
      const match = applyDecision(inState('waiting'), warning(), { kind: 'confirm', about }, LATER);
      expect(match).toMatchObject({ state: 'confirmed', published: { about, match: 'confirmed' } });
      const undone = applyDecision(match, warning(), { kind: 'undo' }, LATER);
      expect(undone).toMatchObject({ state: 'undone', published: { about: 'not_this_firm' } });
      expect(findAnnouncement(match.published, undone.published)).toBe('corrected');
    }
    expect(applyDecision(inState('waiting'), warning(), { kind: 'reject' }, LATER)).toMatchObject({
      state: 'rejected',
      published: null,
    });
  });
  test('a person’s decision holds for the list that is read again after its run was undone', () => {
    for (const about of Object.keys(ABOUT) as (keyof typeof ABOUT)[]) {
      const ended = endMatch(applyDecision(published, warning(), { kind: 'confirm', about }, LATER), warning(), LATER);
      expect(judged({ before: ended, isChanged: true })).toMatchObject({
        state: 'confirmed',
        published: { about, match: 'confirmed' },
      });
    }
    expect(judged({ before: endMatch(published, warning(), LATER) })?.state).toBe('unchecked');
  });
  test('takes back for the next warning, too, by saying that a clone was meant', () => {
    const clone = applyDecision(published, warning(), { kind: 'confirm', about: 'clone_of_it' }, LATER);
    const firm = applyDecision(published, warning(), { kind: 'confirm', about: 'this_firm' }, LATER);
    expect([clone, firm, endMatch(clone, warning(), LATER), published, inState('undone')].map(isTakenBack)).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });
  test('corrects by saying that a clone was meant', () => {
    const match = applyDecision(published, warning(), { kind: 'confirm', about: 'clone_of_it' }, LATER);
    expect(findAnnouncement(published.published, match.published)).toBe('corrected');
    expect(
      findAnnouncement(
        published.published,
        applyDecision(published, warning(), { kind: 'confirm', about: 'this_firm' }, LATER).published,
      ),
    ).toBe('checked');
  });
});

test('a warning that is kept no more is taken back where it was published', () => {
  expect(endMatch(published, warning(), LATER)).toMatchObject({
    state: 'ended',
    published: { about: 'not_this_firm' },
  });
  expect(endMatch(inState('waiting'), warning(), LATER)).toMatchObject({ state: 'ended', published: null });
});

describe('the date of a published warning', () => {
  const published = (over: Partial<WarningState>) =>
    evaluateMatch({ warning: warning(over), found: found(), before: undefined, isUndoneBefore: false, now: NOW })
      ?.published;

  test('the date of a published warning is the authority’s own, where it gives one', () => {
    const day = { publishedAt: '2026-10-01T00:00:00.000Z', publishedBy: '2026-10-05T00:00:00.000Z' };
    expect(published(day)).toMatchObject({ publishedAt: day.publishedAt });
    expect(published(day)).not.toHaveProperty('dating');
  });

  test('the date is a day by which the warning was published, and says so, if the authority gives no other', () => {
    const day = { publishedAt: null, publishedBy: '2019-08-23T00:00:00.000Z' };
    expect(published(day)).toMatchObject({ publishedAt: day.publishedBy, dating: 'on_or_before' });
  });

  test('the date is the day of the list, and says so, where the list has no day', () => {
    const day = { publishedAt: null, publishedBy: null };
    expect(published(day)).toMatchObject({ publishedAt: warning().seenAt, dating: 'on_or_before' });
  });
});
