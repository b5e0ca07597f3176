/** Prints how many entries readers of the record see, by three ways of reading: `reader-process.ts URL`. */
import { PATIENT } from '../../server/src/platform/embedded/patient.ts';
import { connectAsReader, disconnectMongo } from '../../server/src/platform/mongo.ts';
import { findEntries, nextNumber, readBytes } from '../../server/src/platform/record/read.ts';

await connectAsReader(process.argv[2] as string, PATIENT);
console.log(JSON.stringify([await nextNumber(), (await findEntries({})).length, (await readBytes(0, 1000)).length]));
await disconnectMongo();
