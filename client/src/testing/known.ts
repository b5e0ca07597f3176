type Literal<T> = T extends string
  ? string extends T
    ? never
    : T
  : T extends number
    ? number extends T
      ? never
      : T
    : never;

/** Of an enum that may grow, the values that this version knows; any other type as it is. */
export type Known<T> = [Literal<T>] extends [never] ? T : Literal<T> | Exclude<T, string | number>;

/** The same for all fields: what a test server can be given, since it answers nothing else. */
export type KnownValues<T> = { [Field in keyof T]: Known<T[Field]> };
