import * as z from 'zod';
import { CalendarDate, Country, Extensible, Lei, RegulatorCode, Text, Tier, Timestamp, WebUrl } from './primitives.ts';
import { LICENSE_STATUSES } from './score/methodology.ts';

export const LICENSE_TYPES = ['authorisation', 'passport', 'registration'] as const;

/** Statuses in which a licence is over: such a licence is not counted as held. */
export const ENDED_LICENSE_STATUSES = ['withdrawn', 'revoked', 'expired'] as const;

/** State of a licence at its register. */
export const LicenseStatus = Extensible(z.enum(LICENSE_STATUSES)).meta({ id: 'LicenseStatus' });
export type LicenseStatus = z.infer<typeof LicenseStatus>;

/** The firm that holds a licence. A brand's other entities do not inherit it. */
export const LicenseEntity = z.object({ legalName: Text(1, 200), lei: Lei.optional() }).meta({ id: 'LicenseEntity' });

/** A permission of one legal entity by one regulator. */
export const License = z
  .object({
    entity: LicenseEntity,
    regulatorCode: RegulatorCode,
    referenceNumber: Text(1, 80).meta({ description: 'Number in the regulator’s register' }),
    type: Extensible(z.enum(LICENSE_TYPES)).meta({ description: 'Only an authorisation scores' }),
    tier: Tier,
    status: LicenseStatus,
    statusEffectiveAt: Timestamp.nullable(),
    activeSince: CalendarDate.optional(),
    permissions: z.array(Text(1, 200)),
    issuedAt: Timestamp.nullable(),
    expiresAt: Timestamp.optional(),
    sourceUrl: WebUrl,
    lastVerifiedAt: Timestamp.nullable().meta({ description: 'When the source was last opened; null: never' }),
  })
  .meta({ id: 'License' });
export type License = z.infer<typeof License>;

/** A legal entity of a brand. */
export const BrokerEntity = z
  .object({
    legalName: Text(1, 200),
    lei: Lei.optional(),
    country: Country,
    retailClients: z.boolean(),
    regulationScore: z.number().meta({ description: 'Strength of its supervision, 0–100' }),
  })
  .meta({ id: 'BrokerEntity' });
