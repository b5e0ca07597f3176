import { writeFileSync } from 'node:fs';
import { BOUNDS } from '../src/matching/decide.rule.ts';
import { byChanges } from './matching/changes.ts';
import {
  decideAll,
  figuresAt,
  fileOf,
  ofRegisters,
  readPairs,
  SETS,
  warningFigures,
  withVictimsDomain,
} from './matching/measure.ts';
import { ofWorld } from './matching/world.ts';

/** `pairs` makes the pairs again; `figures` prints what the rules make of them; `wrong` lists what they decide wrongly. */

const percent = (share: number): string => (100 * share).toFixed(2);

const makePairs = (): void => {
  const sets = { tuned: byChanges(1_000), 'held-out': ofWorld(140) };
  for (const set of SETS) writeFileSync(fileOf(set), `${sets[set].map((pair) => JSON.stringify(pair)).join('\n')}\n`);
};

const printFigures = (): void => {
  for (const set of SETS) {
    const pairs = readPairs(set);
    const decided = decideAll(ofRegisters(pairs));
    console.log(`\n${set}: ${decided.length} pairs of registers`);
    console.log(
      'same from | decided same | wrong | precision % | lower bound % | recall of decided % | recall of all % | left %',
    );
    for (let same = 4; same <= 18; same++) {
      const at = figuresAt(decided, same);
      console.log(
        [
          `${same}${same === BOUNDS.same ? ' *' : ''}`,
          at.right + at.wrong,
          at.wrong,
          percent(at.precision),
          percent(at.precisionLower),
          percent(at.recallOfDecided),
          percent(at.recallOfAll),
          percent(at.left),
        ].join(' | '),
      );
    }
    const clones = pairs.filter(({ same, warning }) => !same && warning);
    for (const licensed of [false, true]) {
      console.log('warnings', { licensed }, warningFigures(pairs, licensed));
      console.log(
        'and the own domain of the victim',
        warningFigures(
          clones.map((one) => withVictimsDomain(one, false)),
          licensed,
        ),
      );
      console.log(
        'only the own domain of the victim',
        warningFigures(
          clones.map((one) => withVictimsDomain(one, true)),
          licensed,
        ),
      );
    }
  }
};

const printWrong = (set: (typeof SETS)[number], all: boolean): void => {
  const counts = new Map<string, Record<string, number>>();
  for (const { pair, decision } of decideAll(ofRegisters(readPairs(set)))) {
    const count = counts.get(`${pair.same ? 'one' : 'two'}: ${pair.kind}`) ?? { same: 0, maybe: 0, different: 0 };
    counts.set(`${pair.same ? 'one' : 'two'}: ${pair.kind}`, {
      ...count,
      [decision.verdict]: (count[decision.verdict] ?? 0) + 1,
    });
    const wrong = decision.verdict === (pair.same ? 'different' : 'same');
    if (wrong || (all && pair.same && decision.verdict === 'maybe'))
      console.log(
        pair.id,
        pair.kind,
        decision.verdict,
        decision.points,
        decision.doubts.join(),
        decision.reasons
          .map((one) => `${one.field} ${one.relation} ${one.points}: ${one.left} ~ ${one.right}`)
          .join('; '),
      );
  }
  console.table(Object.fromEntries(counts));
};

const [command, set = 'tuned', all] = process.argv.slice(2);
if (command === 'pairs') makePairs();
else if (command === 'wrong') printWrong(set as (typeof SETS)[number], all === 'all');
else printFigures();
