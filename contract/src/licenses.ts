import * as z from 'zod';
import { CalendarDate, Country, Extensible, Lei, RegulatorCode, Text, Tier, Timestamp, WebUrl } from './primitives.ts';
import { LICENSE_STATUSES } from './score/methodology.ts';

export { ENDED_LICENSE_STATUSES } from './ended-licenses.ts';

/** Every kind of licence. Only authorisations score. */
export const LICENSE_TYPES = ['authorisation', 'passport', 'registration'] as const;

/** Status of a licence in the regulator's register. */
export const LicenseStatus = Extensible(z.enum(LICENSE_STATUSES)).meta({
  id: 'LicenseStatus',
  description:
    'State of a licence at its register. `active` and `restricted` ones score; `withdrawn`, `revoked` and `expired` ' +
    'ones are over; `unverified` ones are not confirmed there yet.',
});
export type LicenseStatus = z.infer<typeof LicenseStatus>;

/** The firm that holds a licence. Other entities of the brand do not inherit it. */
export const LicenseEntity = z
  .object({
    legalName: Text(1, 200).meta({
      description: 'Legal name: the licence counts for the entity that has exactly this one.',
      examples: ['Alpha Markets Ltd'],
    }),
    lei: Lei.optional().describe('Its LEI; absent where none is known.'),
  })
  .meta({ id: 'LicenseEntity', description: 'The firm that holds a licence.' });

/** A permission that one regulator grants to one legal entity. */
export const License = z
  .object({
    entity: LicenseEntity.describe('The firm that holds it. Other entities of the brand do not inherit it.'),
    regulatorCode: RegulatorCode.describe('The regulator in whose register it stands.'),
    referenceNumber: Text(1, 80).meta({ description: 'Number in the regulator’s register.', examples: ['000001'] }),
    type: Extensible(z.enum(LICENSE_TYPES)).describe(
      '`authorisation`: the regulator supervises the firm. `passport`: the firm relies on a licence elsewhere. ' +
        '`registration`: it is listed, not supervised. Only authorisations score.',
    ),
    tier: Tier.describe('Tier of the regulator.'),
    status: LicenseStatus.describe('State at the register.'),
    statusEffectiveAt: Timestamp.nullable().describe('Since when it has this status; null: not known.'),
    activeSince: CalendarDate.optional().describe('Since when it is active, for longevity; absent where not known.'),
    permissions: z
      .array(Text(1, 200))
      .meta({ description: 'What the firm may do.', examples: [['Dealing in investments as principal']] }),
    issuedAt: Timestamp.nullable().describe('When it was granted; null: not known.'),
    expiresAt: Timestamp.optional().describe('When it ends; absent where no end is known.'),
    notifiedCountries: z
      .array(Country)
      .min(1)
      .max(250)
      .optional()
      .meta({
        description:
          'Countries into which a `passport` reaches, as the register lists them; absent where the register lists none. ' +
          'A rule that lets the holder notify a country is not enough.',
        examples: [['DE', 'FR']],
      }),
    sourceUrl: WebUrl.describe('Where the register shows it.'),
    lastVerifiedAt: Timestamp.nullable().describe('When the source was last opened; null: never.'),
    stale: z
      .boolean()
      .optional()
      .describe(
        'Whether that is longer ago than it may be for this regulator, or never happened: the state may be out of date. ' +
          'Renewed once a day; absent for a licence that has ended.',
      ),
  })
  .meta({ id: 'License', description: 'A permission of one legal entity by one regulator.' });
export type License = z.infer<typeof License>;

/** Numbers of a broker's licences that a register confirms, and that are only claimed. */
export const LicenseCounts = z
  .object({
    confirmed: z
      .int()
      .describe(
        'Authorisations that a register shows as `active` or `restricted`, held by a legal entity of the broker.',
      ),
    held: z
      .int()
      .describe(
        'Licences that a register shows, `confirmed` ones too: suspended ones, passports and registrations besides.',
      ),
    claimed: z
      .int()
      .describe(
        'Other licences that have not ended: applied for, not confirmed by the register, never compared with one, or ' +
          'held by a firm that is no known legal entity of the broker.',
      ),
  })
  .meta({
    id: 'LicenseCounts',
    description: 'Licences of a broker that have not ended. `held` and `claimed` together are all of them.',
  });
export type LicenseCounts = z.infer<typeof LicenseCounts>;

/** The countries whose clients sign with a legal entity, as a source states them. */
export const ServedCountries = z
  .object({
    countries: z
      .array(Country)
      .min(1)
      .max(250)
      .meta({ description: 'Countries of residence of the clients.', examples: [['DE', 'FR']] }),
    sourceUrl: WebUrl.describe('The page that states it.'),
    asOf: Timestamp.describe('When it said so.'),
  })
  .meta({ id: 'ServedCountries', description: 'The countries whose clients sign with a legal entity.' });

/** A legal entity of a brand. */
export const BrokerEntity = z
  .object({
    legalName: Text(1, 200).meta({ description: 'Legal name.', examples: ['Alpha Markets Ltd'] }),
    lei: Lei.optional().describe('Its LEI; absent where none is known.'),
    country: Country.describe('Country in which it is registered.'),
    retailClients: z.boolean().describe('Whether it takes retail clients.'),
    serves: ServedCountries.optional().describe(
      'Countries whose clients sign with it; absent where no source states them. A country that is missing is unknown.',
    ),
    regulationScore: z.number().describe('Strength of its supervision, 0 to 100, by its own authorisations alone.'),
  })
  .meta({ id: 'BrokerEntity', description: 'A legal entity of a brand.' });
