/** Prints how many entries readers of the record see, by three ways of reading: `reader-process.ts URL`. */
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { findEntries, nextNumber, readBytes } from '../../server/src/ledger/record/read.ts';
import { closeDb, connectAsReader } from '../../server/src/platform/mongo.ts';

const db = await connectAsReader(process.argv[2] as string, PATIENT);
console.log(
  JSON.stringify([await nextNumber(db), (await findEntries(db, {})).length, (await readBytes(db, 0, 1000)).length]),
);
await closeDb(db);
