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
type ContractAnswer<R, Status extends number> = R extends { responses: Record<Status, infer S> }
  ? OpenEnums<Output<S>>
  : never;

/** Opens the enums in a type of the contract, because callers are told that enums may grow. */
type OpenEnums<T> = T extends string
  ? string extends T
    ? T
    : ExtensibleValue<T>
  : T extends number
    ? number extends T
      ? T
      : ExtensibleValue<T>
    : { [K in keyof T]: OpenEnums<T[K]> };
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

type CallArguments<F> = F extends (...args: infer A) => unknown ? A : never;
type CallResult<F> = F extends (...args: never) => Promise<infer A> ? A : never;

/** The error codes of a safe call, without the client's own. */
type Codes<F> =
  Extract<CallResult<F>, { data: undefined }> extends { error: { code: infer C } }
    ? Exclude<C, 'connection_failed' | 'invalid_response' | 'timeout'>
    : never;
/** The codes of all error answers in the contract. */
type ContractCodes<R> = R extends { responses: infer A }
  ? { [S in Exclude<keyof A, 200 | 201>]: Output<A[S]> extends { code: infer C } ? C : never }[Exclude<
      keyof A,
      200 | 201
    >]
  : never;
type ListItem<F> = F extends (...args: never) => AsyncIterable<infer Item> ? Item : never;

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
  expectTypeOf<CallResult<Client['search']>>().toEqualTypeOf<ContractAnswer<Contract['search'], 200>>();
  expectTypeOf<CallResult<Client['brokers']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['brokers']['list'], 200>
  >();
  expectTypeOf<CallResult<Client['brokers']['get']>>().toEqualTypeOf<ContractAnswer<Contract['brokers']['get'], 200>>();
  expectTypeOf<CallResult<Client['regulators']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['regulators']['list'], 200>
  >();
  expectTypeOf<CallResult<Client['regulators']['get']>>().toEqualTypeOf<
    ContractAnswer<Contract['regulators']['get'], 200>
  >();
  expectTypeOf<CallResult<Client['reviews']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['reviews']['list'], 200>
  >();
  expectTypeOf<CallResult<Client['reviews']['create']>>().toEqualTypeOf<
    ContractAnswer<Contract['reviews']['create'], 201>
  >();
  expectTypeOf<CallResult<Client['complaints']['create']>>().toEqualTypeOf<
    ContractAnswer<Contract['complaints']['create'], 201>
  >();
  expectTypeOf<CallResult<Client['news']['list']>>().toEqualTypeOf<ContractAnswer<Contract['news']['list'], 200>>();
});

describe('a color', () => {
  type KnownColor = 'green' | 'yellow' | 'red' | 'gray';

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
    expectTypeOf<Color>().toEqualTypeOf<KnownColor | (string & {})>();
  });

  test('a color in a request must be a known one', () => {
    expectTypeOf<BrokersListQuery['color']>().toEqualTypeOf<KnownColor | undefined>();
    expectTypeOf<'bribery'>().not.toExtend<ComplaintSubmission['category']>();
  });
});

test('every request has the type that the contract infers', () => {
  type Reads<Q extends unknown[]> = [...Q, options?: CallOptions];
  type Writes<B> = [body: B, options?: WriteOptions];

  expectTypeOf<CallArguments<Client['search']>>().toEqualTypeOf<Reads<[Query<Contract['search']>]>>();
  expectTypeOf<CallArguments<Client['brokers']['list']>>().toEqualTypeOf<
    Reads<[Query<Contract['brokers']['list']>?]>
  >();
  expectTypeOf<CallArguments<Client['brokers']['get']>>().toEqualTypeOf<
    Reads<[PathParameters<Contract['brokers']['get']>['slug']]>
  >();
  expectTypeOf<Query<Contract['brokers']['get']>>().toEqualTypeOf<Record<never, never>>();
  expectTypeOf<CallArguments<Client['regulators']['list']>>().toEqualTypeOf<Reads<[]>>();
  expectTypeOf<CallArguments<Client['regulators']['get']>>().toEqualTypeOf<
    Reads<[PathParameters<Contract['regulators']['get']>['code']]>
  >();
  expectTypeOf<CallArguments<Client['reviews']['list']>>().toEqualTypeOf<Reads<[Query<Contract['reviews']['list']>]>>();
  expectTypeOf<CallArguments<Client['reviews']['create']>>().toEqualTypeOf<
    Writes<Body<Contract['reviews']['create']>>
  >();
  expectTypeOf<CallArguments<Client['complaints']['create']>>().toEqualTypeOf<
    Writes<Body<Contract['complaints']['create']>>
  >();
  expectTypeOf<CallArguments<Client['news']['list']>>().toEqualTypeOf<Reads<[Query<Contract['news']['list']>?]>>();
});

test('problems have the types of the contract', () => {
  type Failure = ContractAnswer<Contract['reviews']['create'], 400>;
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
  expectTypeOf<CallArguments<Client['safe']['search']>>().toEqualTypeOf<CallArguments<Client['search']>>();
  expectTypeOf<Codes<Client['safe']['search']>>().toEqualTypeOf<ContractCodes<Contract['search']>>();
  expectTypeOf<CallArguments<Client['safe']['brokers']['list']>>().toEqualTypeOf<
    CallArguments<Client['brokers']['list']>
  >();
  expectTypeOf<Codes<Client['safe']['brokers']['list']>>().toEqualTypeOf<ContractCodes<Contract['brokers']['list']>>();
  expectTypeOf<CallArguments<Client['safe']['brokers']['get']>>().toEqualTypeOf<
    CallArguments<Client['brokers']['get']>
  >();
  expectTypeOf<Codes<Client['safe']['brokers']['get']>>().toEqualTypeOf<ContractCodes<Contract['brokers']['get']>>();
  expectTypeOf<CallArguments<Client['safe']['regulators']['list']>>().toEqualTypeOf<
    CallArguments<Client['regulators']['list']>
  >();
  expectTypeOf<Codes<Client['safe']['regulators']['list']>>().toEqualTypeOf<
    ContractCodes<Contract['regulators']['list']>
  >();
  expectTypeOf<CallArguments<Client['safe']['regulators']['get']>>().toEqualTypeOf<
    CallArguments<Client['regulators']['get']>
  >();
  expectTypeOf<Codes<Client['safe']['regulators']['get']>>().toEqualTypeOf<
    ContractCodes<Contract['regulators']['get']>
  >();
  expectTypeOf<CallArguments<Client['safe']['reviews']['list']>>().toEqualTypeOf<
    CallArguments<Client['reviews']['list']>
  >();
  expectTypeOf<Codes<Client['safe']['reviews']['list']>>().toEqualTypeOf<ContractCodes<Contract['reviews']['list']>>();
  expectTypeOf<CallArguments<Client['safe']['reviews']['create']>>().toEqualTypeOf<
    CallArguments<Client['reviews']['create']>
  >();
  expectTypeOf<Codes<Client['safe']['reviews']['create']>>().toEqualTypeOf<
    ContractCodes<Contract['reviews']['create']>
  >();
  expectTypeOf<CallArguments<Client['safe']['complaints']['create']>>().toEqualTypeOf<
    CallArguments<Client['complaints']['create']>
  >();
  expectTypeOf<Codes<Client['safe']['complaints']['create']>>().toEqualTypeOf<
    ContractCodes<Contract['complaints']['create']>
  >();
  expectTypeOf<CallArguments<Client['safe']['news']['list']>>().toEqualTypeOf<CallArguments<Client['news']['list']>>();
  expectTypeOf<Codes<Client['safe']['news']['list']>>().toEqualTypeOf<ContractCodes<Contract['news']['list']>>();
});

test('every list is iterated by its items', () => {
  expectTypeOf<ListItem<Client['search']>>().toEqualTypeOf<ContractAnswer<Contract['search'], 200>['data'][number]>();
  expectTypeOf<ListItem<Client['brokers']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['brokers']['list'], 200>['data'][number]
  >();
  expectTypeOf<ListItem<Client['regulators']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['regulators']['list'], 200>['data'][number]
  >();
  expectTypeOf<ListItem<Client['reviews']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['reviews']['list'], 200>['data'][number]
  >();
  expectTypeOf<ListItem<Client['news']['list']>>().toEqualTypeOf<
    ContractAnswer<Contract['news']['list'], 200>['data'][number]
  >();
  expectTypeOf<ListItem<Client['brokers']['get']>>().toBeNever();
});
