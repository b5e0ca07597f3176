import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { COMMANDS } from '../cli/commands.ts';
import { HOLDERS, KEPT_COLLECTIONS } from './holders.ts';

/** A new collection holds something about people, and is erased and exported; or it does not, and is listed as such. */
test('every collection is spoken for, once', async () => {
  await Promise.all(COMMANDS.map(({ load }) => load()));
  const spokenFor = [...HOLDERS.flatMap(({ collections }) => collections), ...KEPT_COLLECTIONS];
  const all = Object.values(mongoose.connection.models).map((model) => model.collection.name);
  expect(spokenFor.sort()).toEqual(all.sort());
});
