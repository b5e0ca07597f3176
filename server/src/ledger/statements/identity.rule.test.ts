import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMerged,
  findMissingNames,
  type Identity,
  listSubjectNames,
  type NameRow,
  removeMerged,
  renameIdentity,
  replaceSuccessor,
  resolveName,
  toPublishedSlug,
} from './identity.rule.ts';

const AT = new Date('2026-11-22T12:00:00Z');
const until = AT.toISOString();
const as = (called: string) => ({ called, at: AT });

describe('a subject', () => {
  test('a subject without a past is published under its name, and nothing else counts as it', () => {
    expect([toPublishedSlug({ name: 'a' }), listSubjectNames({ name: 'a' })]).toEqual(['a', ['a']]);
  });

  test.each<[string, Identity | undefined, string, Identity]>([
    [
      'for the first time',
      undefined,
      'b',
      { slug: 'b', predecessors: [{ slug: 'a', name: 'A', how: 'renamed', until }] },
    ],
    [
      'again',
      { slug: 'b', predecessors: [{ slug: 'a', name: 'Old', how: 'renamed', until }] },
      'c',
      {
        slug: 'c',
        predecessors: [
          { slug: 'a', name: 'Old', how: 'renamed', until },
          { slug: 'b', name: 'A', how: 'renamed', until },
        ],
      },
    ],
    [
      'back to its name, which is no former slug any more',
      { slug: 'b', predecessors: [{ slug: 'a', name: 'Old', how: 'renamed', until }] },
      'a',
      { predecessors: [{ slug: 'b', name: 'A', how: 'renamed', until }] },
    ],
  ])('a subject that is renamed %s keeps its former slugs', (_, identity, slug, expected) => {
    expect(renameIdentity({ name: 'a', identity }, slug, as('A'))).toEqual(expected);
  });

  test('a subject has the names of all that were merged into it, and none of those that were split off', () => {
    const gone = { name: 'b', identity: { slug: 'bb', merged: ['c'] } };
    const identity = addMerged({ name: 'a' }, gone, as('B'));
    expect(identity).toEqual({
      predecessors: [{ slug: 'bb', name: 'B', how: 'merged', until }],
      merged: ['b', 'c'],
    });
    expect(listSubjectNames({ name: 'a', identity })).toEqual(['a', 'b', 'c']);
    expect(removeMerged({ name: 'a', identity }, gone)).toEqual({});
  });

  test('a subject that is merged keeps what it was, so that a split brings it back', () => {
    const identity: Identity = { slug: 'bb', merged: ['c'] };
    const merged = replaceSuccessor({ name: 'b', identity }, 'a');
    expect(merged).toEqual({ ...identity, successor: 'a' });
    expect(replaceSuccessor({ name: 'b', identity: merged }, undefined)).toEqual(identity);
  });
});

describe('a name', () => {
  const rows = new Map<string, NameRow>([
    ['a', { name: 'a', identity: { slug: 'aa' } }],
    ['aa', { name: 'aa', subjectName: 'a' }],
    ['b', { name: 'b', identity: { successor: 'a' } }],
    ['bb', { name: 'bb', subjectName: 'b' }],
    ['c', { name: 'c', identity: { successor: 'b' } }],
  ]);
  test.each([
    ['a', 'a', false],
    ['aa', 'a', false],
    ['b', 'a', true],
    ['bb', 'a', true],
    ['c', 'a', true],
    ['unknown', 'unknown', false],
  ])('%s leads to %s; through a merger: %s', (name, end, isMerged) => {
    expect(resolveName(name, rows)).toMatchObject({ name: end, isMerged });
  });

  test('a name that leads to another one and was not read yet is missing', () => {
    expect(findMissingNames(new Map([...rows].filter(([name]) => name === 'c' || name === 'aa')))).toEqual(['a', 'b']);
    expect(findMissingNames(rows)).toEqual([]);
  });
});

/** Subjects and given slugs, changed in the way of `features/brokers/identity.ts`. */
const createWorld = (names: readonly string[]) => {
  const rows = new Map<string, NameRow>(names.map((name) => [name, { name }]));
  const at = (name: string) => rows.get(name) as NameRow;
  const isGone = (name: string) => at(name).identity?.successor !== undefined;
  const set = (name: string, identity: Identity) => rows.set(name, { name, identity });
  return {
    rows,
    rename: (name: string, slug: string): void => {
      const owner = rows.get(slug);
      if (isGone(name) || toPublishedSlug(at(name)) === slug || (owner && (owner.subjectName ?? owner.name) !== name))
        return;
      if (!owner) rows.set(slug, { name: slug, subjectName: name });
      set(name, renameIdentity(at(name), slug, as(name)));
    },
    merge: (name: string, into: string): void => {
      if (name === into || isGone(name) || isGone(into)) return;
      const [gone, successor] = [at(name), at(into)];
      set(into, addMerged(successor, gone, as(name)));
      set(name, replaceSuccessor(gone, into));
    },
    split: (name: string): void => {
      const successor = at(name).identity?.successor;
      if (successor === undefined || isGone(successor)) return;
      set(successor, removeMerged(at(successor), at(name)));
      set(name, replaceSuccessor(at(name), undefined));
    },
  };
};

const NAMES = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...NAMES);
const slug = fc.constantFrom(...NAMES, 'p', 'q', 'r', 's');
const step = fc.oneof(
  fc.record({ what: fc.constant('rename' as const), name, slug }),
  fc.record({ what: fc.constant('merge' as const), name, into: name }),
  fc.record({ what: fc.constant('split' as const), name }),
);

test('each slug leads to its owner after any renaming, mergers and splits, and everything counts once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = createWorld(NAMES);
      for (const one of steps)
        if (one.what === 'rename') world.rename(one.name, one.slug);
        else if (one.what === 'merge') world.merge(one.name, one.into);
        else world.split(one.name);
      const { rows } = world;
      const live = NAMES.filter((one) => rows.get(one)?.identity?.successor === undefined);
      const subjects = live.map((one) => rows.get(one) as NameRow);
      // each name counts under exactly one subject, the one to which it leads
      expect(subjects.flatMap(listSubjectNames).sort()).toEqual(NAMES);
      for (const subject of subjects)
        for (const one of listSubjectNames(subject)) expect(resolveName(one, rows).name).toBe(subject.name);
      // current slugs are different, and every slug that was ever published leads to its subject
      expect(new Set(subjects.map(toPublishedSlug)).size).toBe(subjects.length);
      for (const subject of subjects) {
        expect(resolveName(toPublishedSlug(subject), rows).name).toBe(subject.name);
        for (const former of subject.identity?.predecessors ?? []) {
          expect(former.slug).not.toBe(toPublishedSlug(subject));
          expect(resolveName(former.slug, rows).name).toBe(subject.name);
        }
      }
    }),
    { seed: 20261122, numRuns: 2000 },
  );
});
