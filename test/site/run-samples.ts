/**
 * Runs programs in TypeScript one after another in this process, and prints as JSON what came of each: the status that
 * it printed first, 200 for an object, or the status of the error.
 */
import { pathToFileURL } from 'node:url';

const results: unknown[] = [];
const { log } = console;
for (const file of process.argv.slice(2)) {
  let said: unknown;
  console.log = (first: unknown) => {
    said ??= typeof first === 'object' && first !== null ? 200 : first;
  };
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    said = (error as { status?: number }).status ?? String(error);
  }
  results.push(said ?? 'nothing');
}
log(JSON.stringify(results));
