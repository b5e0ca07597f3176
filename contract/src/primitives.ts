import * as z from 'zod';

/** Characters a person would count: Unicode code points, as JSON Schema's `minLength` and `maxLength` do. */
const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/**
 * What a text must look like, for those who read the OpenAPI document: without lookarounds, which Go and Rust do not
 * know.
 */
const WITHOUT_NUL = '^[^\\x00]*$';
const VISIBLE = '^\\s*[^\\s\\x00][^\\x00]*$';

/**
 * Human text: surrounding blanks are cut, then `min` to `max` code points. NUL and lone surrogates are refused.
 * Issue codes: `too_small`, `too_big`, `not_well_formed`.
 * @example Text(3, 120).parse(' Paid out at once ') // 'Paid out at once'
 */
export const Text = (min: number, max: number) =>
  z
    .string()
    .trim()
    .superRefine((text, ctx) => {
      const length = codePoints(text);
      if (/[\p{Surrogate}\0]/u.test(text))
        ctx.addIssue({
          code: 'custom',
          message: 'must be well-formed Unicode without NUL',
          params: { code: 'not_well_formed' },
        });
      else if (length < min || (min > 0 && !/[^\s\p{C}]/u.test(text)))
        ctx.addIssue({
          code: 'too_small',
          origin: 'string',
          minimum: min,
          message: `must have at least ${min} characters`,
        });
      else if (length > max)
        ctx.addIssue({
          code: 'too_big',
          origin: 'string',
          maximum: max,
          message: `must have at most ${max} characters`,
        });
    })
    .meta({ minLength: min, maxLength: max, pattern: min > 0 ? VISIBLE : WITHOUT_NUL });

/**
 * An integer in a query string, written in plain decimal digits: no sign, exponent, blank or leading zero.
 * Issue codes: `invalid_format`, `too_small`, `too_big`.
 * @example QueryInteger(1, 100).parse('20') // 20
 */
export const QueryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, 'must be a whole number in decimal digits')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .meta({ type: 'integer', minimum: min, maximum: max });

/**
 * Marks an enum of answers: later versions may add values. Callers are told so, in the OpenAPI document
 * (`x-extensible-enum`) and in the client's types. The schema itself takes today's values only, so that a server cannot
 * send others and the strict client reports them.
 * @example Extensible(Color).safeParse('purple').success // false
 */
export const Extensible = <S extends z.ZodType>(values: S): S => values.meta({ extensible: true });

/** A value of such an enum as callers see it: one that is known, or another of the same kind. */
export type Extended<T extends string | number> = T | (T extends string ? string & {} : number & {});

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Names a broker in paths and references: lower-case words joined by hyphens, at most 80 characters. */
export const Slug = z
  .string()
  .max(80)
  .regex(slugPattern, 'must be lower-case letters and digits, joined by single hyphens')
  .meta({
    id: 'Slug',
    description: 'Lower-case letters and digits, joined by single hyphens. Never renamed.',
    examples: ['alpha-markets'],
  });

/** Names a regulator: its usual acronym, with the country where acronyms collide (`fca`, `fsc-mu`). Never renamed. */
export const RegulatorCode = z
  .string()
  .max(40)
  .regex(slugPattern, 'must be lower-case letters and digits, joined by single hyphens')
  .meta({
    id: 'RegulatorCode',
    description: 'Usual acronym in lower case, with the country where acronyms collide (`fsc-mu`). Never renamed.',
    examples: ['fca', 'fsc-mu'],
  });

/** Zod's own pattern counts the days of each month: too much to read. */
const TO_SECONDS = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?';

/** RFC 3339 time in UTC, ending in `Z`. Leap seconds (`:60`) are refused: a JavaScript date cannot hold them. */
export const Timestamp = z.iso.datetime().meta({
  id: 'Timestamp',
  description: 'RFC 3339 time in UTC, ending in `Z`.',
  pattern: `${TO_SECONDS}Z$`,
  examples: ['2026-11-02T09:30:00.000Z'],
});

/**
 * The same as callers send it. `+00:00`, as Python writes UTC, is taken for `Z`; `-00:00` says that the offset is not
 * known.
 */
export const SentTimestamp = z
  .string()
  .overwrite((time) => time.replace(/\+00:00$/, 'Z'))
  .check(z.iso.datetime())
  .meta({ pattern: `${TO_SECONDS}(Z|\\+00:00)$`, examples: ['2026-11-02T09:30:00Z'] });

/** Calendar date `YYYY-MM-DD`, in UTC. */
export const CalendarDate = z.iso.date().meta({
  id: 'CalendarDate',
  description: 'Calendar date `YYYY-MM-DD`, in UTC.',
  examples: ['2014-03-01'],
});

/** Calendar month `YYYY-MM`, in UTC. */
export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .meta({ id: 'Month', description: 'Calendar month `YYYY-MM`, in UTC.', examples: ['2026-11'] });

/** ISO 3166-1 alpha-2 country code. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code such as GB')
  .meta({ id: 'Country', description: 'ISO 3166-1 alpha-2 code, in upper case.', examples: ['GB'] });

/** BCP 47 language tag: language, optional script, optional region. */
export const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/, 'must be a BCP 47 tag such as en, pt-BR or zh-Hant-TW')
  .meta({
    id: 'Language',
    description: 'BCP 47 tag: language, optional script, optional region, in their usual case.',
    examples: ['en', 'pt-BR'],
  });

/**
 * What `new URL` forgives and a link must not have: blanks, controls, lone surrogates, no host, a user name before it.
 */
const plainUrl = /^https?:\/\/[^/?#\\@\s\p{Cc}\p{Cs}]+([/?#][^\\\s\p{Cc}\p{Cs}]*)?$/iu;

/** Absolute `https` or `http` address with a host and without user name, at most 2 000 characters. */
export const WebUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https address', abort: true })
  .max(2000)
  .refine((url) => plainUrl.test(url), {
    message: 'must be an absolute http or https address',
    params: { code: 'invalid_format' },
  })
  .meta({
    id: 'WebUrl',
    description: 'Absolute `https` or `http` address, without a user name.',
    examples: ['https://alpha-markets.example/fees'],
  });

/** Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits. */
export const Lei = z
  .string()
  .regex(/^[A-Z0-9]{18}\d{2}$/, 'must be a 20-character LEI')
  .meta({
    id: 'Lei',
    description: 'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.',
    examples: ['529900T8BM49AURSDO55'],
  });

/** An exact amount of money: two decimals, as text, so that no float rounds it. Currency: ISO 4217. */
export const Money = z
  .strictObject({
    amount: z
      .string()
      .regex(/^(0|[1-9]\d{0,11})\.\d{2}$/, 'must be an amount with two decimals such as "250.00"')
      .meta({
        description: 'Number with exactly two decimals, as text; not negative, below 1 000 000 000 000.',
        examples: ['250.00'],
      }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
      .meta({ description: 'ISO 4217 code, in upper case.', examples: ['USD'] }),
  })
  .meta({
    id: 'Money',
    description: 'An exact amount of money.',
    examples: [{ amount: '250.00', currency: 'USD' }],
  });

/** Tier of a regulator, 1 (strongest) to 4. Editorial: the criteria stand in the methodology. */
export const Tier = Extensible(
  z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).meta({ type: 'integer', enum: [1, 2, 3, 4] }),
).meta({
  id: 'Tier',
  description:
    'Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.',
});
export type Tier = z.infer<typeof Tier>;

/** Opaque position in a list. Take it from `pagination.nextCursor`; do not build or parse it. */
export const Cursor = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be a nextCursor of an earlier answer')
  .meta({
    id: 'Cursor',
    description: 'Opaque position in a list. Take it from `pagination.nextCursor`; do not build or parse it.',
  });

/** Paging of a list whose newest items come first: stable while items are added. */
export const CursorPagination = z
  .object({
    limit: z.int().describe('Most items that a page has, as asked for.'),
    nextCursor: z.string().nullable().describe('The `cursor` that asks for the next page; null: this is the last one.'),
  })
  .meta({ id: 'CursorPagination', description: 'Place of a page in a list whose newest items come first.' });

/** Paging by number of items skipped. */
export const OffsetPagination = z
  .object({
    limit: z.int().describe('Most items that a page has, as asked for.'),
    offset: z.int().describe('Items skipped before this page.'),
    total: z.int().describe('Items that match, on all pages together.'),
  })
  .meta({ id: 'OffsetPagination', description: 'Place of a page in a list, by number of items.' });

/**
 * Body of a POST that has none. A schema and not ts-rest's own symbol, so that the declarations do without ts-rest's.
 */
export const NoBody = z.undefined();
