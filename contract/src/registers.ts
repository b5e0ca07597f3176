import * as z from 'zod';
import { Country, Extensible, Money, RegulatorCode, Timestamp, WebUrl } from './primitives.ts';

/** Business with retail clients under a regulator's licence: leveraged FX and CFDs, none of it, or forbidden. */
const RETAIL_LEVERAGED_FX = ['licensed', 'not_licensed', 'prohibited'] as const;

/**
 * The protection that a regulator's rules give retail clients. Null means that there is none, or that it is not known.
 */
export const Protections = z
  .object({
    compensationLimit: Money.nullable().describe(
      'Most that a statutory scheme pays a person when a firm fails; null: there is none, or it is not known.',
    ),
    negativeBalance: z
      .boolean()
      .nullable()
      .describe('Whether clients can lose no more than what is in their account; null: not known.'),
    segregation: z
      .boolean()
      .nullable()
      .describe('Whether firms must keep client money apart from their own; null: not known.'),
    retailLeverageCap: z
      .number()
      .nullable()
      .meta({
        description: 'Highest leverage on major currency pairs, N of N:1; null: there is no cap, or it is not known.',
        examples: [30],
      }),
    retailLeveragedFx: Extensible(z.enum(RETAIL_LEVERAGED_FX))
      .nullable()
      .optional()
      .describe(
        'What its licences allow with retail clients. `licensed`: leveraged FX or CFDs. `not_licensed`: it licenses no ' +
          'such business, so it sets no limits for it. `prohibited`: such products may not be sold to them; null: not ' +
          'known. Absent in answers of servers that do not say it.',
      ),
  })
  .meta({ id: 'Protections', description: 'What a regulator’s rules give retail clients.' });

/** Source of a fact about a regulator. */
export const RegulatorSource = z
  .object({
    fact: z.string().meta({ description: 'What the source backs.', examples: ['protections'] }),
    url: WebUrl.describe('Address of the source.'),
  })
  .meta({ id: 'RegulatorSource', description: 'Where a fact about a regulator comes from.' });

/** The rules of a regulator, with their sources. */
export const RegulatorRules = z
  .object({
    protections: Protections.describe('What its rules give retail clients.'),
    complaintsUrl: WebUrl.describe('Where clients can complain about a firm.'),
    sources: z.array(RegulatorSource).describe('Where these facts come from.'),
    lastVerifiedAt: Timestamp.nullable().describe('When its register or the sources were last checked; null: never.'),
  })
  .meta({ id: 'RegulatorRules', description: 'The rules of a regulator, with their sources.' });

/** The register of a regulator, and how well this service has read it. */
export const Register = z
  .object({
    code: RegulatorCode.describe('The regulator.'),
    name: z.string().meta({ description: 'Name of the authority.', examples: ['Financial Conduct Authority'] }),
    country: Country.describe('Country of the authority.'),
    registerUrl: WebUrl.describe('Where its register can be searched.'),
    readAt: Timestamp.nullable().describe(
      'The time that the newest file describes that lists every holder of a licence and that was read to its end; ' +
        'null: no such file was read.',
    ),
    readUntil: Timestamp.nullable().describe('Until when that reading counts; null: there is none.'),
    rules: RegulatorRules.optional().describe('Its rules; absent where the broker has, and had, no licence there.'),
  })
  .meta({ id: 'Register', description: 'The register of a regulator, and how well this service has read it.' });
export type Register = z.infer<typeof Register>;
