import {
  BrokerDetail,
  BrokerSummary,
  NewsItem,
  Regulator,
  RegulatorDetail,
  Review,
} from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { type AnswerKind, FIELDS, REASONS } from './fields.ts';

/** A schema of zod, as far as it says which fields a value has. */
interface Schema {
  readonly def: {
    readonly type: string;
    readonly innerType?: Schema;
    readonly element?: Schema;
    readonly shape?: Readonly<Record<string, Schema>>;
  };
}

const ANSWERS: Readonly<Record<AnswerKind, unknown>> = {
  summary: BrokerSummary,
  broker: BrokerDetail,
  regulatorSummary: Regulator,
  regulator: RegulatorDetail,
  review: Review,
  news: NewsItem,
};

/** Returns the path of every field of a schema that is no object itself. */
const listPaths = ({ def: { type, innerType, element, shape } }: Schema, path = ''): string[] => {
  if (innerType && (type === 'optional' || type === 'nullable')) return listPaths(innerType, path);
  if (element) return element.def.type === 'object' ? listPaths(element, `${path}[]`) : [path];
  if (!shape) return [path];
  return Object.entries(shape).flatMap(([name, field]) => listPaths(field, path === '' ? name : `${path}.${name}`));
};

describe.each(Object.entries(ANSWERS))('every field of the answer %s', (kind, schema) => {
  const { compared, apart } = FIELDS[kind as AnswerKind];

  test('every field of the answer is in one list: compared with the log, or apart with a reason', () => {
    expect([...compared, ...Object.keys(apart)].sort()).toEqual(listPaths(schema as Schema).sort());
  });

  test('every field that is not compared has a reason that is written down', () => {
    for (const reason of Object.values(apart)) expect(REASONS).toHaveProperty(reason);
  });
});
