import { type PROBLEMS as CONTRACT_PROBLEMS, contract, type ExtensibleValue } from '@broker-transparency/contract';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Operations } from './generated/api.ts';
import { routes } from './generated/routes.ts';
import type {
  BrokerDetail,
  BrokersListQuery,
  CallOptions,
  Client,
  Color,
  ComplaintSubmission,
  PROBLEMS,
  ProblemCode,
  ProblemItem,
  WriteOptions,
} from './index.ts';

// Copies of z.input and z.output, because zod is not a dependency of this package, not even of its tests.
type Input<S> = S extends { _zod: { input: infer I } } ? I : never;
type Output<S> = S extends { _zod: { output: infer O } } ? O : never;

type Contract = typeof contract;
type Answer<R, Status extends number> = R extends { responses: Record<Status, infer S> } ? Opened<Output<S>> : never;

/** Opens the enums in a type of the contract, because callers are told that enums may grow. */
type Opened<T> = T extends string
  ? string extends T
    ? T
    : ExtensibleValue<T>
  : T extends number
    ? number extends T
      ? T
      : ExtensibleValue<T>
    : { [K in keyof T]: Opened<T[K]> };
type Body<R> = R extends { body: infer S } ? Input<S> : never;
type PathParameters<R> = R extends { pathParams: infer S } ? Input<S> : never;

/** A query as callers write it: optional where the input is, and with numbers instead of their text. */
type Query<R> = R extends { query: infer S }
  ? {
      [K in keyof Input<S>]: undefined extends Input<S>[K]
        ? Output<S>[K & keyof Output<S>] | undefined
        : Output<S>[K & keyof Output<S>];
    }
  : never;

type Taken<F> = F extends (...args: infer A) => unknown ? A : never;
type Given<F> = F extends (...args: never) => Promise<infer A> ? A : never;

/** The error codes of a safe call, without the client's own. */
type Codes<F> =
  Extract<Given<F>, { data: undefined }> extends { error: { code: infer C } }
    ? Exclude<C, 'connection_failed' | 'invalid_response' | 'timeout'>
    : never;
/** The codes of all error answers in the contract. */
type ContractCodes<R> = R extends { responses: infer A }
  ? { [S in Exclude<keyof A, 200 | 201>]: Output<A[S]> extends { code: infer C } ? C : never }[Exclude<
      keyof A,
      200 | 201
    >]
  : never;
type Iterated<F> = F extends (...args: never) => AsyncIterable<infer Item> ? Item : never;

test('the client has the groups and calls of the contract', () => {
  expectTypeOf<keyof Client>().toEqualTypeOf<keyof Contract | 'safe' | 'rateLimit'>();
  expectTypeOf<keyof Client['safe']>().toEqualTypeOf<keyof Contract>();
  expectTypeOf<keyof Client['brokers']>().toEqualTypeOf<keyof Contract['brokers']>();
  expectTypeOf<keyof Client['regulators']>().toEqualTypeOf<keyof Contract['regulators']>();
  expectTypeOf<keyof Client['reviews']>().toEqualTypeOf<keyof Contract['reviews']>();
  expectTypeOf<keyof Client['complaints']>().toEqualTypeOf<keyof Contract['complaints']>();
  expectTypeOf<keyof Client['news']>().toEqualTypeOf<keyof Contract['news']>();
  expectTypeOf<keyof Operations>().toEqualTypeOf<keyof typeof routes>();
});

test('every answer has the type that the contract infers', () => {
  expectTypeOf<Given<Client['search']>>().toEqualTypeOf<Answer<Contract['search'], 200>>();
  expectTypeOf<Given<Client['brokers']['list']>>().toEqualTypeOf<Answer<Contract['brokers']['list'], 200>>();
  expectTypeOf<Given<Client['brokers']['get']>>().toEqualTypeOf<Answer<Contract['brokers']['get'], 200>>();
  expectTypeOf<Given<Client['regulators']['list']>>().toEqualTypeOf<Answer<Contract['regulators']['list'], 200>>();
  expectTypeOf<Given<Client['regulators']['get']>>().toEqualTypeOf<Answer<Contract['regulators']['get'], 200>>();
  expectTypeOf<Given<Client['reviews']['list']>>().toEqualTypeOf<Answer<Contract['reviews']['list'], 200>>();
  expectTypeOf<Given<Client['reviews']['create']>>().toEqualTypeOf<Answer<Contract['reviews']['create'], 201>>();
  expectTypeOf<Given<Client['complaints']['create']>>().toEqualTypeOf<Answer<Contract['complaints']['create'], 201>>();
  expectTypeOf<Given<Client['news']['list']>>().toEqualTypeOf<Answer<Contract['news']['list'], 200>>();
});

describe('a color', () => {
  type Known = 'green' | 'yellow' | 'red' | 'gray';

  test('a color in an answer may be new, so that a switch over the known ones needs a default', () => {
    // @ts-expect-error: the function may end without a value
    const light = (color: Color): string => {
      switch (color) {
        case 'green':
          return 'go';
        case 'yellow':
          return 'wait';
        case 'red':
          return 'stop';
        case 'gray':
          return 'off';
      }
    };
    expect(light('green')).toBe('go');
    expectTypeOf<'purple'>().toExtend<Color>();
    expectTypeOf<5>().toExtend<NonNullable<BrokerDetail['bestTier']>>();
  });

  test('keeps its known values, so that editors offer them', () => {
    // plain `string` would absorb them
    expectTypeOf<Color>().not.toEqualTypeOf<string>();
    expectTypeOf<Color>().toEqualTypeOf<Known | (string & {})>();
  });

  test('a color in a request must be a known one', () => {
    expectTypeOf<BrokersListQuery['color']>().toEqualTypeOf<Known | undefined>();
    expectTypeOf<'bribery'>().not.toExtend<ComplaintSubmission['category']>();
  });
});

test('every request has the type that the contract infers', () => {
  type Reads<Q extends unknown[]> = [...Q, options?: CallOptions];
  type Writes<B> = [body: B, options?: WriteOptions];

  expectTypeOf<Taken<Client['search']>>().toEqualTypeOf<Reads<[Query<Contract['search']>]>>();
  expectTypeOf<Taken<Client['brokers']['list']>>().toEqualTypeOf<Reads<[Query<Contract['brokers']['list']>?]>>();
  expectTypeOf<Taken<Client['brokers']['get']>>().toEqualTypeOf<
    Reads<[PathParameters<Contract['brokers']['get']>['slug']]>
  >();
  expectTypeOf<Query<Contract['brokers']['get']>>().toEqualTypeOf<Record<never, never>>();
  expectTypeOf<Taken<Client['regulators']['list']>>().toEqualTypeOf<Reads<[]>>();
  expectTypeOf<Taken<Client['regulators']['get']>>().toEqualTypeOf<
    Reads<[PathParameters<Contract['regulators']['get']>['code']]>
  >();
  expectTypeOf<Taken<Client['reviews']['list']>>().toEqualTypeOf<Reads<[Query<Contract['reviews']['list']>]>>();
  expectTypeOf<Taken<Client['reviews']['create']>>().toEqualTypeOf<Writes<Body<Contract['reviews']['create']>>>();
  expectTypeOf<Taken<Client['complaints']['create']>>().toEqualTypeOf<Writes<Body<Contract['complaints']['create']>>>();
  expectTypeOf<Taken<Client['news']['list']>>().toEqualTypeOf<Reads<[Query<Contract['news']['list']>?]>>();
});

test('problems have the types of the contract', () => {
  type Failure = Answer<Contract['reviews']['create'], 400>;
  expectTypeOf<ProblemItem>().toEqualTypeOf<NonNullable<Failure['errors']>[number]>();
  expectTypeOf<typeof PROBLEMS>().toEqualTypeOf<{
    readonly [C in ProblemCode]: {
      readonly status: (typeof CONTRACT_PROBLEMS)[C]['status'];
      readonly title: (typeof CONTRACT_PROBLEMS)[C]['title'];
    };
  }>();
});

test('the routes are nested like the calls', () => {
  expect(Object.keys(routes)).toEqual(Object.keys(contract));
});

test('safe calls take the same arguments, and give the error codes of the contract', () => {
  expectTypeOf<Taken<Client['safe']['search']>>().toEqualTypeOf<Taken<Client['search']>>();
  expectTypeOf<Codes<Client['safe']['search']>>().toEqualTypeOf<ContractCodes<Contract['search']>>();
  expectTypeOf<Taken<Client['safe']['brokers']['list']>>().toEqualTypeOf<Taken<Client['brokers']['list']>>();
  expectTypeOf<Codes<Client['safe']['brokers']['list']>>().toEqualTypeOf<ContractCodes<Contract['brokers']['list']>>();
  expectTypeOf<Taken<Client['safe']['brokers']['get']>>().toEqualTypeOf<Taken<Client['brokers']['get']>>();
  expectTypeOf<Codes<Client['safe']['brokers']['get']>>().toEqualTypeOf<ContractCodes<Contract['brokers']['get']>>();
  expectTypeOf<Taken<Client['safe']['regulators']['list']>>().toEqualTypeOf<Taken<Client['regulators']['list']>>();
  expectTypeOf<Codes<Client['safe']['regulators']['list']>>().toEqualTypeOf<
    ContractCodes<Contract['regulators']['list']>
  >();
  expectTypeOf<Taken<Client['safe']['regulators']['get']>>().toEqualTypeOf<Taken<Client['regulators']['get']>>();
  expectTypeOf<Codes<Client['safe']['regulators']['get']>>().toEqualTypeOf<
    ContractCodes<Contract['regulators']['get']>
  >();
  expectTypeOf<Taken<Client['safe']['reviews']['list']>>().toEqualTypeOf<Taken<Client['reviews']['list']>>();
  expectTypeOf<Codes<Client['safe']['reviews']['list']>>().toEqualTypeOf<ContractCodes<Contract['reviews']['list']>>();
  expectTypeOf<Taken<Client['safe']['reviews']['create']>>().toEqualTypeOf<Taken<Client['reviews']['create']>>();
  expectTypeOf<Codes<Client['safe']['reviews']['create']>>().toEqualTypeOf<
    ContractCodes<Contract['reviews']['create']>
  >();
  expectTypeOf<Taken<Client['safe']['complaints']['create']>>().toEqualTypeOf<Taken<Client['complaints']['create']>>();
  expectTypeOf<Codes<Client['safe']['complaints']['create']>>().toEqualTypeOf<
    ContractCodes<Contract['complaints']['create']>
  >();
  expectTypeOf<Taken<Client['safe']['news']['list']>>().toEqualTypeOf<Taken<Client['news']['list']>>();
  expectTypeOf<Codes<Client['safe']['news']['list']>>().toEqualTypeOf<ContractCodes<Contract['news']['list']>>();
});

test('every list is iterated by its items', () => {
  expectTypeOf<Iterated<Client['search']>>().toEqualTypeOf<Answer<Contract['search'], 200>['data'][number]>();
  expectTypeOf<Iterated<Client['brokers']['list']>>().toEqualTypeOf<
    Answer<Contract['brokers']['list'], 200>['data'][number]
  >();
  expectTypeOf<Iterated<Client['regulators']['list']>>().toEqualTypeOf<
    Answer<Contract['regulators']['list'], 200>['data'][number]
  >();
  expectTypeOf<Iterated<Client['reviews']['list']>>().toEqualTypeOf<
    Answer<Contract['reviews']['list'], 200>['data'][number]
  >();
  expectTypeOf<Iterated<Client['news']['list']>>().toEqualTypeOf<
    Answer<Contract['news']['list'], 200>['data'][number]
  >();
  expectTypeOf<Iterated<Client['brokers']['get']>>().toBeNever();
});
