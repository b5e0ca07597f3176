import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { LicenseStatus } from './licenses.ts';
import { meta } from './metadata.ts';
import { Country, Money, RegulatorCode, Slug, Tier, Timestamp, WebUrl } from './primitives.ts';
import { problems } from './problem.ts';
import { Color } from './score/schema.ts';

/** What a regulator's rules give retail clients; null: none, or not known. */
export const Protections = z
  .object({
    compensationLimit: Money.nullable().meta({ description: 'Statutory compensation per person' }),
    negativeBalance: z.boolean().nullable(),
    segregation: z.boolean().nullable(),
    retailLeverageCap: z.number().nullable().meta({ description: 'N of N:1 on major currency pairs' }),
  })
  .meta({ id: 'Protections' });

const regulatorFields = {
  code: RegulatorCode,
  name: z.string(),
  country: Country,
  tier: Tier,
  tierReason: z.string(),
  website: WebUrl,
  registerUrl: WebUrl,
  complaintsUrl: WebUrl,
  protections: Protections,
  sources: z.array(z.object({ fact: z.string(), url: WebUrl })),
  lastVerifiedAt: Timestamp.nullable(),
  brokerCount: z.int().meta({ description: 'Brokers with a licence here that is not withdrawn, revoked or expired' }),
};

/** A financial regulator. */
export const Regulator = z.object(regulatorFields).meta({ id: 'Regulator' });
export type Regulator = z.infer<typeof Regulator>;

/** A broker as a regulator's list shows it, with the licences it holds there: usually one, more where it has several entities. */
export const RegulatedBroker = z
  .object({
    slug: Slug,
    name: z.string(),
    color: Color,
    score: z.number().nullable().meta({ description: 'Value, 0–100' }),
    licenses: z.array(
      z.object({
        entity: z.string().meta({ description: 'Legal name of the holder' }),
        referenceNumber: z.string(),
        status: LicenseStatus,
      }),
    ),
  })
  .meta({ id: 'RegulatedBroker' });

export const RegulatorDetail = z
  .object({
    ...regulatorFields,
    brokers: z.array(RegulatedBroker).meta({ description: 'All of them, best score first' }),
  })
  .meta({ id: 'RegulatorDetail' });
export type RegulatorDetail = z.infer<typeof RegulatorDetail>;

export const RegulatorList = z.object({ data: z.array(Regulator) }).meta({ id: 'RegulatorList' });

export const regulators = initContract().router({
  list: {
    method: 'GET',
    path: '/regulators',
    summary: 'All regulators, by code',
    query: z.strictObject({}),
    responses: { 200: RegulatorList, ...problems() },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['regulators'] }),
  },
  get: {
    method: 'GET',
    path: '/regulators/:code',
    summary: 'One regulator with all the brokers it regulates',
    pathParams: z.strictObject({ code: RegulatorCode }),
    query: z.strictObject({}),
    responses: { 200: RegulatorDetail, ...problems('regulator_not_found') },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['regulators', 'brokers'] }),
  },
});
