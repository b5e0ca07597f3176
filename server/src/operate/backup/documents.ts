import { createReadStream } from 'node:fs';
import mongoose from 'mongoose';
import { DomainError } from '../../platform/domain-error.ts';

const { BSON } = mongoose.mongo;

/** Keeps BSON types that JavaScript values would change when written back. */
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true } as const;
const OBJECT = 3;
const ARRAY = 4;

/** Yields the BSON documents of a file as bytes. */
export const readDocuments = async function* (file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let at = 0;
    for (let size = 0; bytes.length - at >= 4; at += size) {
      size = bytes.readInt32LE(at);
      if (size < 5) throw new DomainError('invalid_input', `${file} is not BSON.`);
      if (bytes.length - at < size) break;
      yield bytes.subarray(at, at + size);
    }
    rest = bytes.subarray(at);
  }
  if (rest.length > 0) throw new DomainError('invalid_input', `${file} ends in the middle of a document.`);
};

/** Reads one value by wrapping it in a document. */
const readValue = (type: number, value: Uint8Array): unknown => {
  const document = Buffer.alloc(value.length + 8);
  document.writeInt32LE(document.length, 0);
  document[4] = type;
  document[5] = 0x76; // the field name is v
  document.set(value, 7);
  return BSON.deserialize(document, EXACT)['v'];
};

/** Returns the fields in their stored order. An object would put names such as "5" first. */
const readOrdered = (bytes: Uint8Array): Map<string, unknown> =>
  new Map(
    [...BSON.onDemand.parseToElements(bytes)].map(([type, nameAt, nameLength, at, length]) => {
      const name = Buffer.from(bytes.subarray(nameAt, nameAt + nameLength)).toString();
      const value = bytes.subarray(at, at + length);
      if (type === OBJECT) return [name, readOrdered(value)];
      return [name, type === ARRAY ? [...readOrdered(value).values()] : readValue(type, value)];
    }),
  );

/** Returns a document that BSON serialises to exactly these bytes. @throws DomainError if there is none */
export const readExactly = (bytes: Buffer): object => {
  const plain = BSON.deserialize(bytes, EXACT);
  if (bytes.equals(BSON.serialize(plain))) return plain;
  const ordered = readOrdered(bytes);
  if (bytes.equals(BSON.serialize(ordered))) return ordered;
  throw new DomainError(
    'invalid_input',
    'A document of the backup has a form that cannot be written again byte for byte.',
  );
};
