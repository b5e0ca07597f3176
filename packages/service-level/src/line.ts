import { CHECKS, FORMS, isText, MOST_ERROR, MOST_MS } from './result.ts';

/*
 * The rules of the schema `ProbeResult` without zod: recomputing a month needs no package. A test compares the two.
 */

interface RuleViolation {
  readonly path: readonly string[];
  readonly why: string;
}

/** Returns the fault of a value, or undefined. */
type Rule = (value: unknown) => RuleViolation | undefined;

const nameType = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const toViolation = (why: string): RuleViolation => ({ path: [], why });

const toTypeViolation = (expected: string, value: unknown): RuleViolation =>
  toViolation(`Invalid input: expected ${expected}, received ${nameType(value)}`);

const text =
  ({ form, why }: { readonly form: RegExp; readonly why: string }): Rule =>
  (value) => {
    if (typeof value !== 'string') return toTypeViolation('string', value);
    return form.test(value) ? undefined : toViolation(why);
  };

const yesOrNo: Rule = (value) => (typeof value === 'boolean' ? undefined : toTypeViolation('boolean', value));

const milliseconds: Rule = (value) => {
  if (typeof value !== 'number') return toTypeViolation('number', value);
  const isRight = Number.isInteger(value) && value >= 0 && value <= MOST_MS;
  return isRight ? undefined : toViolation(`must be a whole number from 0 to ${MOST_MS}`);
};

const message: Rule = (value) => {
  if (typeof value !== 'string') return toTypeViolation('string', value);
  const isRight = value.length > 0 && value.length <= MOST_ERROR;
  if (!isRight) return toViolation(`must have 1 to ${MOST_ERROR} characters`);
  return isText(value) ? undefined : toViolation('must have no lone surrogate');
};

const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);

const object =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value) => {
    if (nameType(value) !== 'object') return toTypeViolation('object', value);
    const given = value as Readonly<Record<string, unknown>>;
    for (const [name, rule] of Object.entries(rules)) {
      const wrong = rule(Object.hasOwn(given, name) ? given[name] : undefined);
      if (wrong) return { path: [name, ...wrong.path], why: wrong.why };
    }
    const more = Object.keys(given).find((name) => !Object.hasOwn(rules, name));
    return more === undefined ? undefined : toViolation(`Unrecognized key: "${more}"`);
  };

const check = object({ ok: yesOrNo, ms: milliseconds, error: optional(message) });
const hash = text(FORMS.hash);

const result = object({
  prober: text(FORMS.prober),
  minute: text(FORMS.minute),
  checks: object(Object.fromEntries(CHECKS.map((name) => [name, optional(check)]))),
  freshnessMs: optional(milliseconds),
  webhookMs: optional(milliseconds),
  previous: (value) => (value === null ? undefined : hash(value)),
  signature: optional(text(FORMS.signature)),
});

/**
 * Returns why a value is no result, with the place; undefined if it is one.
 * @example resultProblem({ prober: 'A' }) // 'prober: must be a name such as frankfurt-1'
 */
export const resultProblem = (value: unknown): string | undefined => {
  const wrong = result(value);
  return wrong && `${wrong.path.join('.') || 'the line'}: ${wrong.why}`;
};
