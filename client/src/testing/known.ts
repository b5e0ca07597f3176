type Literal<T> = T extends string
  ? string extends T
    ? never
    : T
  : T extends number
    ? number extends T
      ? never
      : T
    : never;

/** Narrows an extensible enum to the values that this version knows. Leaves any other type unchanged. */
export type KnownValue<T> = [Literal<T>] extends [never] ? T : Literal<T> | Exclude<T, string | number>;

/** Narrows all fields. Fixtures have these types, because a test server answers only known values. */
export type KnownValues<T> = { [Field in keyof T]: KnownValue<T[Field]> };
