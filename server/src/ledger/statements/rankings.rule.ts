import type { SourceKind } from '@broker-transparency/contract';

/** The order of sources for some facts: the first source with a value is published. */
export interface SourceRanking {
  /** The facts, as sources state them. */
  readonly facts: readonly string[];
  /** The kinds of sources, the strongest first. Within one group, what is true of a later day is published. */
  readonly order: readonly (readonly SourceKind[])[];
  readonly reason: string;
}

/**
 * The rankings by which one of several differing sources is published. The last one is for facts without their own
 * ranking.
 */
export const SOURCE_RANKINGS: readonly SourceRanking[] = [
  {
    facts: ['licenseStatus'],
    order: [['authority', 'register', 'calendar'], ['editor'], ['dataset'], ['broker'], ['reference']],
    reason:
      'The regulator decides whether a licence is in force, and its register says so. An editor’s list may be older ' +
      'than the register’s, however new its file is.',
  },
  {
    facts: ['holderName'],
    order: [['register'], ['authority'], ['editor'], ['dataset'], ['broker'], ['reference']],
    reason: 'A firm is licensed under the name that the register has.',
  },
  {
    facts: ['warnings'],
    order: [['authority'], ['register'], ['editor'], ['dataset'], ['broker'], ['reference']],
    reason: 'Only the authority that warns can take its warning back. Others can add warnings, not remove one.',
  },
  {
    facts: [],
    order: [['editor'], ['authority'], ['register'], ['dataset'], ['broker'], ['reference'], ['calendar']],
    reason: 'Editors read every other source, and answer for what they state.',
  },
];
