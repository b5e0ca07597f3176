import {
  BROKER_STATUSES,
  BrokerEntity,
  BrokerWarning,
  ChecklistItem,
  Country,
  Lei,
  License,
  LicenseEntity,
  Provenance,
  Slug,
  Text,
  Timestamp,
  WebUrl,
} from '@broker-transparency/contract';
import * as z from 'zod';
import type { Identity } from '../../ledger/statements/identity.rule.ts';
import type { ImportCredit, StatementSource } from '../../ledger/statements/statement.rule.ts';

/** A licence in an import. Its tier comes from its regulator, and its age from the clock. */
export const LicenseRecord = z.strictObject({
  ...License.omit({ tier: true, stale: true }).shape,
  entity: z.strictObject(LicenseEntity.shape),
  statusEffectiveAt: Timestamp.nullable().default(null),
  issuedAt: Timestamp.nullable().default(null),
  permissions: z.array(Text(1, 200)).max(50).default([]),
  lastVerifiedAt: Timestamp.nullable().default(null),
});
export type LicenseRecord = z.infer<typeof LicenseRecord>;

/** The stored facts of a broker, without its licences. */
export type ProfileDocument = Omit<BrokerRecord, 'licenses' | 'slug' | 'provenance'> & {
  readonly _id: string;
  readonly id: string;
  readonly provenance: readonly Provenance[];
  readonly identity?: Omit<Identity, 'successor'>;
};
/** A stored licence. */
export type LicenseDocument = LicenseRecord & { readonly _id: string; readonly broker: string };

/** The stored facts of a broker with its licences. */
export interface BrokerState {
  readonly profile: ProfileDocument;
  readonly licenses: readonly LicenseDocument[];
}

/** Identifies a licence by broker, regulator, number and entity, because its number alone is not unique worldwide. */
export const licenseKey = (slug: string, license: LicenseRecord): string =>
  JSON.stringify([slug, license.regulatorCode, license.referenceNumber, license.entity.legalName]);

/** Checks that a broker is not its own successor. */
const checkSuccessor = (
  { slug, successor }: { slug: string; successor?: string | undefined },
  ctx: z.RefinementCtx,
) => {
  if (successor === slug) ctx.addIssue({ code: 'custom', path: ['successor'], message: 'must be another broker' });
};

/** Checks that every licence names a listed entity and that no two licences are the same. */
const checkLicenses = (
  broker: { slug: string; entities: readonly { legalName: string }[]; licenses?: readonly LicenseRecord[] | undefined },
  ctx: z.RefinementCtx,
): void => {
  const names = new Set<string>();
  for (const [index, { legalName }] of broker.entities.entries()) {
    if (names.has(legalName))
      ctx.addIssue({
        code: 'custom',
        path: ['entities', index, 'legalName'],
        message: 'must not repeat an earlier one',
      });
    names.add(legalName);
  }
  const keys = new Set<string>();
  for (const [index, license] of (broker.licenses ?? []).entries()) {
    const at = ['licenses', index];
    if (!names.has(license.entity.legalName))
      ctx.addIssue({
        code: 'custom',
        path: [...at, 'entity', 'legalName'],
        message: 'must be the legal name of one of entities',
      });
    const key = licenseKey(broker.slug, license);
    if (keys.has(key)) ctx.addIssue({ code: 'custom', path: at, message: 'must not repeat an earlier licence' });
    keys.add(key);
    if (license.notifiedCountries !== undefined && license.type !== 'passport')
      ctx.addIssue({
        code: 'custom',
        path: [...at, 'notifiedCountries'],
        message: 'must be absent: only a passport reaches into other countries',
      });
  }
};

/**
 * Returns the row with a date for each licence that has none: the day on which the row says that the registers were
 * compared. An unverified licence has none, as nobody has seen it in its register.
 */
export const dateLicenses = <R extends { readonly given: ReadonlySet<string>; readonly record: BrokerRecord }>(
  row: R,
): R => {
  const { licenses, licensesCheckedAt } = row.record;
  if (!row.given.has('licensesCheckedAt') || !row.given.has('licenses')) return row;
  const dated = licenses?.map((license) =>
    license.status === 'unverified'
      ? license
      : { ...license, lastVerifiedAt: license.lastVerifiedAt ?? licensesCheckedAt },
  );
  return { ...row, record: { ...row.record, licenses: dated } };
};

/** Kinds of sources that can say what a register lists. */
const REGISTER_READERS: ReadonlySet<StatementSource['kind']> = new Set(['register', 'authority', 'editor']);

/** Returns the columns of licences that a source cannot state: only a register lists the countries of a passport. */
export const listForeignColumns = (licenses: readonly LicenseRecord[], { kind }: StatementSource): string[] =>
  licenses.flatMap(({ notifiedCountries }, index) =>
    notifiedCountries === undefined || REGISTER_READERS.has(kind) ? [] : [`licenses.${index}.notifiedCountries`],
  );

/** A broker in an import, one per row, identified by its slug. `licenses`, if present, replaces all its licences. */
export const BrokerRecord = z
  .strictObject({
    slug: Slug,
    name: Text(1, 120),
    legalName: Text(1, 200),
    tradingNames: z.array(Text(1, 120)).max(50).default([]),
    lei: Lei.optional(),
    website: WebUrl,
    domains: z
      .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain name such as alpha-markets.example'))
      .max(50)
      .default([]),
    country: Country,
    foundedYear: z.int().min(1800).max(2100).nullable().default(null),
    description: Text(0, 2000).default(''),
    status: z.enum(BROKER_STATUSES).default('operating'),
    successor: Slug.optional(),
    licensesCheckedAt: Timestamp.nullable().default(null),
    entities: z
      .array(
        z.strictObject({
          ...BrokerEntity.omit({ regulationScore: true }).shape,
          retailClients: z.boolean().default(true),
        }),
      )
      .max(50)
      .default([]),
    checklist: z
      .array(
        z.strictObject({
          ...ChecklistItem.shape,
          sourceUrl: WebUrl.nullable().default(null),
          checkedAt: Timestamp.nullable().default(null),
        }),
      )
      .max(10)
      .refine((items) => new Set(items.map(({ key }) => key)).size === items.length, 'must not have a key twice')
      .default([]),
    warnings: z.array(z.strictObject(BrokerWarning.shape)).max(200).default([]),
    provenance: z
      .array(
        z.strictObject({
          ...Provenance.omit({ statedBy: true, contradicted: true }).shape,
          lastVerifiedAt: Timestamp.nullable().default(null),
        }),
      )
      .max(200)
      .default([]),
    licenses: z.array(LicenseRecord).max(200).optional(),
  })
  .superRefine(checkLicenses)
  .superRefine(checkSuccessor);
export type BrokerRecord = z.infer<typeof BrokerRecord>;

/**
 * Returns true if the source is named beside each of its facts. Editors and registers name their sources themselves.
 */
export const isNamed = ({ kind }: StatementSource): boolean =>
  kind === 'authority' || kind === 'dataset' || kind === 'broker';

/**
 * Adds the attribution to every source of the row that has none, or to `sourceUrl` if the row names no source. A source
 * that is named beside each fact needs no `sourceUrl`. Returns undefined if the attribution has no place.
 */
export const creditBroker = (
  broker: BrokerRecord,
  { credit: attribution, source: by, sourceUrl, given }: ImportCredit,
): BrokerRecord | undefined => {
  const { provenance } = broker;
  if (given.has('provenance') && provenance.length > 0)
    return { ...broker, provenance: provenance.map((source) => ({ attribution, ...source })) };
  if (isNamed(by)) return broker;
  if (sourceUrl === null) return undefined;
  const source = { fact: 'profile', sourceUrl, lastVerifiedAt: null, attribution };
  const isSame = (known: BrokerRecord['provenance'][number]) =>
    known.fact === 'profile' && known.sourceUrl === sourceUrl;
  if (!provenance.some(isSame)) return { ...broker, provenance: [...provenance, source] };
  return { ...broker, provenance: provenance.map((known) => (isSame(known) ? { attribution, ...known } : known)) };
};
