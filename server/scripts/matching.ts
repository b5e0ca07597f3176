import { readFileSync, writeFileSync } from 'node:fs';
import { BOUNDS, decide, indexFirms, POINTS, readFirm } from '@broker-transparency/matching';
import { parse } from 'csv-parse/sync';
import { createChangedPairs } from './matching/changes.ts';
import { drawCurve } from './matching/curve.ts';
import {
  computeFiguresAt,
  computePoints,
  computeWarningFigures,
  decideAll,
  readPairs,
  SETS,
  type SetName,
  selectRegisterPairs,
  toPairsUrl,
  withVictimsDomain,
} from './matching/measure.ts';
import { createWorldPairs } from './matching/world.ts';

/** What the rules of matching are worth: `docs/matching.md` has the commands. */

const formatPercent = (share: number): string => (100 * share).toFixed(2);
const printRow = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);
const printHeader = (cells: readonly string[]): void => {
  printRow(cells);
  printRow(cells.map(() => '---'));
};

const makePairs = (): void => {
  const sets = { tuned: createChangedPairs(1_000), 'held-out': createWorldPairs(140) };
  for (const set of SETS)
    writeFileSync(toPairsUrl(set), `${sets[set].map((pair) => JSON.stringify(pair)).join('\n')}\n`);
};

const printFigures = (): void => {
  for (const set of SETS) {
    console.log(`\n${set} pairs\n`);
    printHeader([
      'same from',
      'decided same',
      'wrong',
      'precision %',
      'lower %',
      'recall of decided %',
      'of all %',
      'left %',
    ]);
    for (const { same, figures } of computePoints(set)) {
      const { right, wrong, precision, precisionLower, recallOfDecided, recallOfAll, left } = figures;
      const shares = [precision, precisionLower, recallOfDecided, recallOfAll, left].map(formatPercent);
      printRow([same === BOUNDS.same ? `**${same}**` : same, right + wrong, wrong, ...shares]);
    }
  }
};

const printKinds = (set: SetName): void => {
  const counts = new Map<string, { same: number; maybe: number; different: number }>();
  for (const { pair, decision } of decideAll(selectRegisterPairs(readPairs(set)))) {
    const kind = `${pair.same ? 'one firm' : 'two firms'}: ${pair.kind}`;
    const count = counts.get(kind) ?? { same: 0, maybe: 0, different: 0 };
    count[decision.verdict]++;
    counts.set(kind, count);
  }
  printHeader(['pairs', 'same', 'maybe', 'different']);
  for (const [kind, { same, maybe, different }] of [...counts].sort()) printRow([kind, same, maybe, different]);
};

const printWarnings = (): void => {
  const pairs = readPairs('held-out').filter(({ warning }) => warning);
  const sets = {
    'as they are': pairs,
    'and the victim’s own domain': pairs.map((one) => (one.same ? one : withVictimsDomain(one, false))),
    'nothing but the victim’s own domain': pairs.map((one) => (one.same ? one : withVictimsDomain(one, true))),
  };
  printHeader([
    'domains',
    'licensed by who warns',
    'about itself: at once',
    'missed',
    'clones: victim at once',
    'missed',
  ]);
  for (const [name, set] of Object.entries(sets))
    for (const licensed of [false, true]) {
      const { about, aboutAtOnce, aboutMissed, clones, victimsAtOnce, clonesMissed } = computeWarningFigures(
        set,
        licensed,
      );
      const counts = [`${aboutAtOnce} of ${about}`, aboutMissed, `${victimsAtOnce} of ${clones}`, clonesMissed];
      printRow([name, licensed ? 'known' : 'unknown', ...counts]);
    }
};

/** Pairs of names that others labelled: a CSV with `schema`, `name1`, `name2` and `is_match`. */
const printPublic = (file: string): void => {
  const firm = (text: string) => readFirm({ names: [{ text, kind: 'legal' }], countries: ['GB'] });
  const counts = {
    match: { same: 0, maybe: 0, different: 0 },
    'no match': { same: 0, maybe: 0, different: 0 },
  };
  for (const one of parse(readFileSync(file), { columns: true }) as Record<string, string>[]) {
    if (!['Company', 'Organization', 'LegalEntity'].includes(one['schema'] ?? '')) continue;
    const { verdict } = decide(firm(one['name1'] ?? ''), firm(one['name2'] ?? ''));
    counts[one['is_match'] === 'true' ? 'match' : 'no match'][verdict]++;
  }
  printHeader(['label', 'same', 'maybe', 'different']);
  for (const [label, count] of Object.entries(counts)) printRow([label, ...Object.values(count)]);
};

/** Worlds that nobody has seen: what is decided wrongly in so many of them. */
const printSeeds = (count: number): void => {
  const decided = Array.from({ length: count }, (_, at) =>
    decideAll(selectRegisterPairs(createWorldPairs(140, 1_000 + at))),
  ).flat();
  const { pairs, right, wrong, precisionLower, recallOfAll } = computeFiguresAt(decided);
  printHeader(['worlds', 'pairs', 'decided same', 'wrong', 'lower %', 'recall of all %']);
  printRow([count, pairs, right + wrong, wrong, formatPercent(precisionLower), formatPercent(recallOfAll)]);
  for (const { pair, decision } of decided)
    if (decision.verdict === (pair.same ? 'different' : 'same')) console.log(JSON.stringify({ ...pair, decision }));
};

/** How long it takes to find the firms of many rows among many, in processor time. */
const printSpeed = (): void => {
  const pairs = Array.from({ length: 6 }, (_, at) => createWorldPairs(150, 1 + at)).flat();
  const known = [...new Set(pairs.map((pair) => pair.known))].map((firm, at) => [at, readFirm(firm)] as const);
  const told = [...new Set(pairs.map((pair) => pair.told))].slice(0, 14_000);
  const start = process.cpuUsage();
  const index = indexFirms(known);
  for (const firm of told) index.find(readFirm(firm));
  const { user, system } = process.cpuUsage(start);
  printHeader(['firms', 'rows', 'seconds']);
  printRow([known.length, told.length, ((user + system) / 1_000_000).toFixed(1)]);
};

const printPoints = (): void => {
  printHeader(['field', 'relation', 'points']);
  for (const [field, relations] of Object.entries(POINTS))
    for (const [relation, points] of Object.entries(relations)) printRow([field, relation, points]);
};

const COMMANDS: Readonly<Record<string, (argument: string) => void>> = {
  pairs: makePairs,
  figures: printFigures,
  kinds: (set) => printKinds((set || 'held-out') as SetName),
  warnings: printWarnings,
  points: printPoints,
  speed: printSpeed,
  public: printPublic,
  seeds: (count) => printSeeds(Number(count || 20)),
  curve: () =>
    writeFileSync(
      new URL('../../docs/matching.svg', import.meta.url),
      drawCurve(Object.fromEntries(SETS.map((set) => [`${set} pairs`, computePoints(set)]))),
    ),
};

const [name = 'figures', argument = ''] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) throw new Error(`There is no command ${name}: ${Object.keys(COMMANDS).join(', ')}.`);
command(argument);
