import * as z from 'zod';
import { BROKER_STATUSES } from './brokers.ts';
import { LicenseStatus } from './licenses.ts';
import { meta } from './metadata.ts';
import { Country, Extensible, NoQuery, RegulatorCode, Slug, Tier, Timestamp, WebUrl } from './primitives.ts';
import { problems } from './problem.ts';
import { Protections, RegulatorSource } from './registers.ts';
import type { RouteGroup } from './route.ts';
import { Color } from './score/schema.ts';

const regulatorFields = {
  code: RegulatorCode.describe('Names the regulator in paths and licences.'),
  name: z.string().meta({ description: 'Name of the authority.', examples: ['Financial Conduct Authority'] }),
  country: Country.describe('Country of the authority.'),
  tier: Tier.describe('Its tier.'),
  tierReason: z.string().describe('Why it has this tier.'),
  website: WebUrl.describe('Its website.'),
  registerUrl: WebUrl.describe('Where its register can be searched.'),
  complaintsUrl: WebUrl.describe('Where clients can complain about a firm.'),
  protections: Protections.describe('What its rules give retail clients.'),
  sources: z.array(RegulatorSource).describe('Where these facts come from.'),
  lastVerifiedAt: Timestamp.nullable().describe(
    'When its register or the sources were last checked, by a file of the register or by an editor; null: never.',
  ),
  registerReadAt: Timestamp.nullable().describe(
    'The time that the newest file describes that lists every holder of a licence here and that was read to its end; ' +
      'null: no such file was read.',
  ),
  stale: z
    .boolean()
    .optional()
    .describe('Whether that is longer ago than it may be for this regulator, or never happened. Renewed once a day.'),
  brokerCount: z.int().describe('Brokers with a licence here that is not withdrawn, revoked or expired.'),
};

/** A financial regulator. */
export const Regulator = z.object(regulatorFields).meta({ id: 'Regulator', description: 'A financial regulator.' });
export type Regulator = z.infer<typeof Regulator>;

/** A licence as listed under a regulator. */
export const RegulatedLicense = z
  .object({
    entity: z.string().meta({ description: 'Legal name of the holder.', examples: ['Alpha Markets Ltd'] }),
    referenceNumber: z.string().meta({ description: 'Number in the regulator’s register.', examples: ['000001'] }),
    status: LicenseStatus.describe('State at the register.'),
  })
  .meta({ id: 'RegulatedLicense', description: 'A licence as a regulator’s list shows it.' });

/**
 * A broker as listed under a regulator, with its licences there. It has several only if several of its entities hold
 * one.
 */
export const RegulatedBroker = z
  .object({
    slug: Slug.describe('Names the broker in paths and requests.'),
    name: z.string().meta({ description: 'Name of the brand.', examples: ['Alpha Markets'] }),
    status: Extensible(z.enum(BROKER_STATUSES)).describe(
      'Its state: a `suspected_clone` names licences of its victim.',
    ),
    color: Color.describe('Color of its score.'),
    score: z.number().nullable().describe('Value of its score, 0 to 100 with one decimal; null: not rated.'),
    licenses: z.array(RegulatedLicense).describe('Its licences here that are not withdrawn, revoked or expired.'),
  })
  .meta({ id: 'RegulatedBroker', description: 'A broker as a regulator’s list shows it.' });

/** A regulator with all the brokers that it regulates. */
export const RegulatorDetail = z
  .object({
    ...regulatorFields,
    brokers: z.array(RegulatedBroker).describe('All brokers with such a licence, best score first.'),
  })
  .meta({ id: 'RegulatorDetail', description: 'A regulator with all the brokers that it regulates.' });
export type RegulatorDetail = z.infer<typeof RegulatorDetail>;

/** All regulators. */
export const RegulatorList = z
  .object({ data: z.array(Regulator).describe('All regulators, by code.') })
  .meta({ id: 'RegulatorList', description: 'The regulators.' });

/** Routes about regulators: the list, and one regulator with its brokers. */
export const regulators = {
  list: {
    method: 'GET',
    path: '/regulators',
    summary: 'All regulators, by code',
    description:
      'Every regulator with its tier, the reason for it, what it protects, and how many brokers it ' +
      'regulates. There are no pages.',
    query: NoQuery,
    responses: { 200: RegulatorList, ...problems() },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['regulators'] }),
  },
  get: {
    method: 'GET',
    path: '/regulators/:code',
    summary: 'One regulator with all the brokers it regulates',
    description: 'The regulator as in the list, and each broker with a licence of it, with the state of each licence.',
    pathParams: z.strictObject({ code: RegulatorCode }),
    query: NoQuery,
    responses: { 200: RegulatorDetail, ...problems('regulator_not_found') },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['regulators', 'brokers'] }),
  },
} as const satisfies RouteGroup;
