import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decideVerdict, type JudgedBroker, type Verdict } from './verdict.ts';

/** The residences of the table, in its order. */
const RESIDENCES = 'DE FR CY IE NO LI GB CH AU SG JP US CA ZA BR AE VU VN MU SC'.split(' ');

const LETTERS = { permitted: 'P', other_entity: 'O', not_confirmed: 'C', none: 'N', unknown: 'U' } as const;

/** The time of the verdicts. */
const AT = new Date('2026-11-28T12:00:00.000Z');

interface RegisterLine {
  readonly registers: string;
  readonly list: JudgedBroker['registers'];
}

interface BrokerLine {
  readonly broker: Omit<JudgedBroker, 'registers'> & { readonly slug: string; readonly registers: string };
  /** A letter for each residence; "-" where nothing is said of a permission. */
  readonly states: string;
  /** Protections by residence, where some are told. */
  readonly protections: Readonly<Record<string, readonly string[]>>;
}

/**
 * Drawn brokers with five lists of registers, of which some are unread, too old or incomplete. Somebody who had only
 * the rules of docs/verdict.md, and neither this code nor its tests, wrote the states and the protections.
 */
const lines = readFileSync(new URL('./verdict-table.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): RegisterLine | BrokerLine => JSON.parse(line));
const registers = new Map(lines.flatMap((line) => ('list' in line ? [[line.registers, line.list] as const] : [])));
const table = lines.filter((line): line is BrokerLine => 'broker' in line);

const listProtections = ({ entities }: Verdict): string[] => {
  const told = entities.flatMap(({ protections }) =>
    protections.map((one) => {
      const value =
        one.kind === 'compensation'
          ? `${one.limit.amount} ${one.limit.currency}`
          : String(one.kind === 'leverage' ? one.cap : one.isGiven);
      return `${one.register.code} ${one.kind} ${value}`;
    }),
  );
  return [...new Set(told)].sort();
};

const cells = table.flatMap(({ broker, states, protections }) => {
  const judged: JudgedBroker = { ...broker, registers: registers.get(broker.registers) ?? [] };
  return RESIDENCES.map((residence, at) => {
    const verdict = decideVerdict(judged, residence, AT);
    return {
      place: `${broker.slug} ${residence}`,
      registers: broker.registers,
      written: states[at],
      decided: verdict.permission === null ? '-' : LETTERS[verdict.permission.state],
      writtenProtections: protections[residence] ?? [],
      protections: listProtections(verdict),
    };
  });
});

test('the verdict is what somebody with the written rules alone found, in 995 of 1000 cells at least', () => {
  expect(cells.length).toBe(1200);
  expect(cells.filter(({ written }) => written === 'P').length).toBeGreaterThan(20);
  const different = cells.filter(({ written, decided }) => written !== decided);
  expect(different.length / cells.length).toBeLessThanOrEqual(0.005);
  // a difference says less for the broker
  expect(different.filter(({ decided }) => decided !== 'C').map(({ place }) => place)).toEqual([]);
});

test('each cell names exactly the protections of the table', () => {
  expect(cells.filter(({ writtenProtections }) => writtenProtections.length > 0).length).toBeGreaterThan(20);
  for (const { place, protections, writtenProtections } of cells)
    expect(protections, place).toEqual(writtenProtections);
});

test('no cell says that there is no licence where a register is unread, too old or not known', () => {
  const none = cells.filter(({ decided }) => decided === 'N');
  expect(none.length).toBeGreaterThan(100);
  const isArea = (place: string) => /(DE|FR|CY|IE|NO|LI)$/.test(place);
  expect(none.filter((cell) => cell.registers === 'none_read')).toEqual([]);
  expect(none.filter((cell) => cell.registers === 'one_of_the_area_stale' && isArea(cell.place))).toEqual([]);
  expect(none.filter((cell) => cell.registers === 'some_outside_unread' && /(GB|CH|US|VU)$/.test(cell.place))).toEqual(
    [],
  );
  expect(none.filter((cell) => cell.registers === 'few_known' && isArea(cell.place))).toEqual([]);
});
