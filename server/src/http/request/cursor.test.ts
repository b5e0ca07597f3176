import { Cursor } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ListPosition, publishedBefore } from '../../platform/position.ts';
import { decodeCursor, encodeCursor, toPage } from './cursor.ts';

const at = new Date('2026-11-30T12:00:00.123Z');
const id = '65f0c0ffee65f0c0ffee65f0';

describe('a cursor', () => {
  test.each([
    new Date(0),
    new Date(-1),
    new Date('0001-01-01T00:00:00.000Z'),
    new Date('9999-12-31T23:59:59.999Z'),
    new Date('2026-11-30T12:00:00.001Z'),
  ])('comes back as it went out at %s', (time) => {
    const text = encodeCursor({ at: time, id });
    expect(decodeCursor(text)).toEqual({ at: time, id });
    expect(Cursor.safeParse(text).success).toBe(true);
  });

  test('comes back as it went out, for any position', () => {
    const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.stringMatching(/^[A-Za-z0-9-]{1,64}$/), (at, id) => {
        expect(decodeCursor(encodeCursor({ at, id }))).toEqual({ at, id });
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });

  test('a cursor is a position wherever the contract accepts it', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^-?\d{0,17}\.[\w.-]{0,70}$/));
    fc.assert(
      fc.property(
        texts.filter((text) => Cursor.safeParse(text).success),
        (text) => {
          const { at, id } = decodeCursor(text);
          expect([Number.isNaN(at.getTime()), /^[A-Za-z0-9-]{1,180}$/.test(id)]).toEqual([false, true]);
        },
      ),
      { seed: 20_261_121, numRuns: 500 },
    );
  });

  test.each([
    ['nothing', ''],
    ['another text', 'abc'],
    ['without an id', '1764504000123.'],
    ['without a time', `.${id}`],
    ['with a fraction', `1.5.${id}`],
    ['with an exponent', `1e3.${id}`],
    ['with a time that no date can hold', `9999999999999999.${id}`],
    ['with an operator', '1764504000123.{"$ne":1}'],
    ['with a line feed', `1764504000123.${id}\n`],
    ['with an id that is too long', `1764504000123.${'a'.repeat(181)}`],
    ['with letters that are not ASCII', '1764504000123.é'],
    ['very long', 'A'.repeat(100_000)],
  ])('the contract refuses a cursor that is %s', (_, text) => {
    expect(Cursor.safeParse(text).success).toBe(false);
  });
});

describe('a page', () => {
  const items = Array.from({ length: 5 }, (_, n) => ({ n, at: new Date(1000 - n), id: `id${n}` }));
  const toPosition = (item: ListPosition): ListPosition => item;

  test.each([
    [5, 4, 4, 3],
    [5, 1, 1, 0],
  ])('a page of %i items read and a limit of %i has %i, and a next one', (read, limit, length, last) => {
    const { data, pagination } = toPage(items.slice(0, read), limit, toPosition);
    expect(data).toEqual(items.slice(0, length));
    expect(pagination.limit).toBe(limit);
    expect(decodeCursor(String(pagination.nextCursor))).toEqual({ at: items[last]?.at, id: `id${last}` });
  });

  test.each([
    [5, 5],
    [3, 5],
    [1, 1],
    [0, 20],
  ])('a page of %i items read and a limit of %i is the last', (read, limit) => {
    const { data, pagination } = toPage(items.slice(0, read), limit, toPosition);
    expect(data).toHaveLength(read);
    expect(pagination).toEqual({ limit, nextCursor: null });
  });
});

describe('the filter for what comes after', () => {
  test('no position is everything', () => {
    expect(publishedBefore(undefined, String)).toEqual({});
  });

  test('a position is everything older, and of the same time the smaller ids', () => {
    expect(publishedBefore({ at, id }, (text) => `<${text}>`)).toEqual({
      $or: [{ publishedAt: { $lt: at } }, { publishedAt: at, _id: { $lt: `<${id}>` } }],
    });
  });
});
