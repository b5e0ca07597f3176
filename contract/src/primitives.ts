import * as z from 'zod';

/** Counts Unicode code points, as JSON Schema's `minLength` and `maxLength` do. */
const countCodePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/**
 * Characters that are invisible alone: control characters, blanks, fillers, marks of direction, selectors of variants
 * and the private use area. The list is short and written out, because languages disagree about classes such as `\\s`
 * and `\\p{C}`. The mark U+FEFF lies between two characters that nobody uses, because sources of Go may not contain it.
 */
const INVISIBLE =
  '\\x01-\\x20\\x7f-\\xa0\\xad' +
  [
    '\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5',
    '\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f',
    '\u2800\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufefd-\uff00\uffa0\ufff0-\ufffb',
  ].join('');
const VISIBLE = `[^\\x00${INVISIBLE}]`;

/**
 * Pattern of a text whose first and last visible characters lie at least `min` characters apart, both included. It has
 * no lookaround and no `\\p{…}`, so Go, Rust, Java and Python read it alike, and no engine backtracks over it.
 */
const buildTextPattern = (min: number): string => {
  if (min === 0) return '^[^\\x00]*$';
  const further = min === 1 ? '[^\\x00]*' : `[^\\x00]{${min - 2},}${VISIBLE}[${INVISIBLE}]*`;
  return `^[${INVISIBLE}]*${VISIBLE}${further}$`;
};

/**
 * Human-readable text of at most `max` code points as it is sent. From its first to its last visible character it has
 * at least `min`. Trims whitespace at both ends. Refuses NUL and lone surrogates. Issue codes: `too_small`, `too_big`,
 * `not_well_formed`.
 * @example Text(3, 120).parse(' Paid out at once ') // 'Paid out at once'
 */
export const Text = (min: number, max: number) => {
  const pattern = buildTextPattern(min);
  const form = new RegExp(pattern, 'u');
  return z
    .string()
    .superRefine((text, ctx) => {
      if (/[\p{Surrogate}\0]/u.test(text))
        ctx.addIssue({
          code: 'custom',
          message: 'must be well-formed Unicode without NUL',
          params: { code: 'not_well_formed' },
        });
      else if (countCodePoints(text) > max)
        ctx.addIssue({
          code: 'too_big',
          origin: 'string',
          maximum: max,
          message: `must have at most ${max} characters`,
        });
      else if (!form.test(text))
        ctx.addIssue({
          code: 'too_small',
          origin: 'string',
          minimum: min,
          message: `must have at least ${min} characters`,
        });
    })
    .trim()
    .meta({ minLength: min, maxLength: max, pattern });
};

/**
 * An integer in a query string, in plain decimal digits: no sign, exponent, whitespace or leading zero. Issue codes:
 * `invalid_format`, `too_small`, `too_big`.
 * @example QueryInteger(1, 100).parse('20') // 20
 */
export const QueryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(min < 0 ? /^(0|-?[1-9]\d{0,8})$/ : /^(0|[1-9]\d{0,8})$/, 'must be a whole number in decimal digits')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .meta({ type: 'integer', minimum: min, maximum: max });

/**
 * Marks an enum in answers to which later versions may add values. The OpenAPI document (`x-extensible-enum`) and the
 * client's types tell callers so. The schema itself accepts only today's values, so that a server cannot send others
 * and the strict client reports them.
 * @example Extensible(Color).safeParse('purple').success // false
 */
export const Extensible = <S extends z.ZodType>(values: S): S => values.meta({ extensible: true });

/** A value of an {@link Extensible} enum as callers see it: a known one, or any other of the same primitive type. */
export type ExtensibleValue<T extends string | number> = T | (T extends string ? string & {} : number & {});

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Identifies a broker in paths and references: lower-case words joined by hyphens, at most 80 characters. */
export const Slug = z
  .string()
  .max(80)
  .regex(slugPattern, 'must be lower-case letters and digits, joined by single hyphens')
  .meta({
    id: 'Slug',
    description: 'Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.',
    examples: ['alpha-markets'],
  });

/** Returns the slug that a text probably means, such as `alpha-markets` for `Alpha Markets`; empty if there is none. */
const guessSlug = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 80)
    .replace(/-$/, '');

/** Returns the fault of a list of slugs, with its code; undefined if it has none. */
const findSlugsFault = (slugs: readonly string[], most: number): { code: string; message: string } | undefined => {
  if (slugs.length > most) return { code: 'too_big', message: `must have at most ${most} slugs, not ${slugs.length}` };
  const wrong = slugs.find((slug) => !Slug.safeParse(slug).success);
  if (wrong === undefined) return undefined;
  const likely = guessSlug(wrong);
  const hint = likely === '' ? '' : `; did you mean "${likely}"?`;
  return { code: 'invalid_format', message: `must be slugs such as alpha-markets, joined by commas${hint}` };
};

/**
 * Slugs in a query, joined by commas. Gives each once, in alphabetical order.
 * @example QuerySlugs(50).parse('beta-trade,alpha-markets') // ['alpha-markets', 'beta-trade']
 */
export const QuerySlugs = (most: number) =>
  z
    .string()
    .superRefine((text, ctx) => {
      const fault = findSlugsFault(text.split(','), most);
      if (fault) ctx.addIssue({ code: 'custom', message: fault.message, params: { code: fault.code } });
    })
    .meta({
      type: 'array',
      items: { type: 'string', maxLength: 80, pattern: slugPattern.source },
      minItems: 1,
      maxItems: most,
      examples: [['alpha-markets', 'beta-trade']],
    })
    .transform((text) => [...new Set(text.split(','))].sort());

/**
 * Identifies a regulator: its usual acronym, with a country code if several share it (`fca`, `fsc-mu`). Never changes.
 */
export const RegulatorCode = z
  .string()
  .max(40)
  .regex(slugPattern, 'must be lower-case letters and digits, joined by single hyphens')
  .meta({
    id: 'RegulatorCode',
    description: 'Usual acronym in lower case, with the country where acronyms collide (`fsc-mu`). Never renamed.',
    examples: ['fca', 'fsc-mu'],
  });

/** Replaces zod's own pattern, which spells out the days of each month and is hard to read. */
const TO_SECONDS = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?';

/** RFC 3339 time in UTC, ending in `Z`. Refuses leap seconds (`:60`), because a JavaScript date cannot hold them. */
export const Timestamp = z.iso.datetime().meta({
  id: 'Timestamp',
  description: 'RFC 3339 time in UTC, ending in `Z`.',
  pattern: `${TO_SECONDS}Z$`,
  examples: ['2026-11-02T09:30:00.000Z'],
});

/**
 * A `Timestamp` in a request. Python writes UTC as `+00:00`, so the schema turns that into `Z`. It refuses `-00:00`,
 * which means that the offset is unknown.
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

/** Codes that people use for countries whose ISO code is another. */
const USUAL_CODES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/**
 * A `Country` in a query. Takes either case, and gives upper case.
 * @example QueryCountry.parse('gb') // 'GB'
 */
export const QueryCountry = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code such as GB')
  .meta({ examples: ['GB'] })
  .transform((code) => code.toUpperCase())
  .superRefine((code, ctx) => {
    const usual = USUAL_CODES[code];
    if (usual !== undefined)
      ctx.addIssue({
        code: 'custom',
        message: `must be an ISO 3166-1 alpha-2 code; did you mean "${usual}"?`,
        params: { code: 'not_one_of' },
      });
  });

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
 * Refuses what `new URL` accepts but a link must not contain: whitespace, control characters, lone surrogates, user
 * information or an empty host.
 */
const plainUrl = /^https?:\/\/[^/?#\\@\s\p{Cc}\p{Cs}]+([/?#][^\\\s\p{Cc}\p{Cs}]*)?$/iu;

/** Absolute `https` or `http` address with a host and without user information, at most 2 000 characters. */
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

/** Legal Entity Identifier (ISO 17442): 18 letters or digits followed by two check digits. */
export const Lei = z
  .string()
  .regex(/^[A-Z0-9]{18}\d{2}$/, 'must be a 20-character LEI')
  .meta({
    id: 'Lei',
    description: 'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.',
    examples: ['529900T8BM49AURSDO55'],
  });

/**
 * An exact amount of money. The amount is text with two decimals, so that no float rounds it. The currency is an ISO
 * 4217 code.
 */
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

/** Tier of a regulator, from 1 (strongest) to 4. It is an editorial judgement; the methodology states the criteria. */
export const Tier = Extensible(
  z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).meta({ type: 'integer', enum: [1, 2, 3, 4] }),
).meta({
  id: 'Tier',
  description:
    'Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.',
});
export type Tier = z.infer<typeof Tier>;

const POSITION = 'Opaque position in a list. Take it from `pagination.nextCursor`; do not build or parse it.';

/**
 * Opaque position in a list that is sorted by time, from `pagination.nextCursor`: milliseconds since 1970 and an id.
 * Callers do not build or parse it.
 */
export const Cursor = z
  .string()
  .regex(/^-?\d{1,15}\.[A-Za-z0-9-]{1,180}$/, 'must be a nextCursor of an earlier answer')
  .meta({ id: 'Cursor', description: POSITION });

/** Opaque position in a list that is sorted by keys, from `pagination.nextCursor`. Callers do not build or parse it. */
export const KeyCursor = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be a nextCursor of an earlier answer')
  .meta({ id: 'KeyCursor', description: POSITION });

/** Pagination of a list that is sorted from newest to oldest. Pages stay stable while items are added. */
export const CursorPagination = z
  .object({
    limit: z.int().describe('Most items that a page has, as asked for.'),
    nextCursor: z.string().nullable().describe('The `cursor` that asks for the next page; null: this is the last one.'),
  })
  .meta({ id: 'CursorPagination', description: 'Place of a page in a list whose newest items come first.' });

/** Pagination by number of skipped items. */
export const OffsetPagination = z
  .object({
    limit: z.int().describe('Most items that a page has, as asked for.'),
    offset: z.int().describe('Items skipped before this page.'),
    total: z.int().describe('Items that match, on all pages together.'),
  })
  .meta({ id: 'OffsetPagination', description: 'Place of a page in a list, by number of items.' });

/**
 * Body of a POST that takes none. It is a schema, so that routes need no symbol of a library.
 */
export const NoBody = z.undefined();

/**
 * Query of a route that takes none. The server refuses any parameter. Its type has no properties, so that ts-rest lets
 * callers leave it out.
 */
export const NoQuery: z.ZodType<Record<never, never>, Record<never, never>> = z.strictObject({});
