/** Gives numbers to entries until it is killed: `sequencer-process.ts URL SHIFT_MS EVERY_MS`. */

import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { numberEntries } from '../../server/src/ledger/record/sequencer.ts';
import { createClock } from '../../server/src/platform/clock.ts';
import { startLoop } from '../../server/src/platform/loop.ts';
import { connectMongo } from '../../server/src/platform/mongo.ts';

const [url = '', shift, every] = process.argv.slice(2);
const clock = createClock(Number(shift));
const db = await connectMongo(url, PATIENT);
startLoop(
  () => numberEntries(db, clock),
  Number(every),
  (error) => console.error(error),
);
console.log('numbers entries');
