import { type DatedLicense, hasLicenseEnded, isLicenseCurrent, type LicensedBroker } from './license-counts.ts';
import { listLicensingCountries } from './residences.ts';
import { groupWarnings, isWarned, type WarningState } from './warning-groups.ts';

type JudgedLicense = LicensedBroker['licenses'][number] &
  DatedLicense & {
    readonly regulatorCode: string;
    readonly referenceNumber: string;
    readonly notifiedCountries?: readonly string[] | undefined;
    readonly sourceUrl: string;
  };

interface JudgedEntity {
  readonly legalName: string;
  readonly retailClients: boolean;
  readonly serves?:
    | { readonly countries: readonly string[]; readonly sourceUrl: string; readonly asOf: string }
    | undefined;
}

type JudgedWarning = WarningState & {
  readonly source: string;
  readonly url: string;
  readonly title: string;
  readonly publishedAt: string;
};

interface JudgedRegister {
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly registerUrl: string;
  readonly readAt: string | null;
  readonly readUntil: string | null;
  readonly rules?:
    | {
        readonly protections: {
          readonly compensationLimit: { readonly amount: string; readonly currency: string } | null;
          readonly negativeBalance: boolean | null;
          readonly retailLeverageCap: number | null;
          readonly retailLeveragedFx?: string | null | undefined;
        };
        readonly sources: readonly { readonly fact: string; readonly url: string }[];
        readonly lastVerifiedAt: string | null;
      }
    | undefined;
}

/** The fields of a broker that decide a verdict. The answer of `GET /brokers/{slug}` has them all. */
export interface JudgedBroker extends LicensedBroker {
  readonly status: string;
  readonly successor?: string | undefined;
  readonly warnings: readonly JudgedWarning[];
  readonly entities: readonly JudgedEntity[];
  readonly licenses: readonly JudgedLicense[];
  readonly registers: readonly JudgedRegister[];
}

/** A register that could hold a licence, and does not count as read. */
export interface UnreadRegister {
  /** Country of the regulator. */
  readonly country: string;
  /** Undefined: this service knows no register of the country. */
  readonly register: JudgedRegister | undefined;
}

/** A licence, and its register where the answer has it. */
export interface LicenseEvidence {
  readonly license: JudgedLicense;
  readonly register: JudgedRegister | undefined;
}

/**
 * A protection that the rules of a regulator give clients. `compensation`: most that a scheme pays a person when the
 * firm fails. `leverage`: highest leverage on major currency pairs, N of N:1. `negativeBalance`: whether clients can
 * lose no more than what is in their account.
 */
export type ClientProtection = {
  readonly register: JudgedRegister;
  /** Addresses of the pages that state it; never empty. */
  readonly sources: readonly string[];
  /** When the register or these pages were last checked, RFC 3339; null: never. */
  readonly checkedAt: string | null;
} & (
  | { readonly kind: 'compensation'; readonly limit: { readonly amount: string; readonly currency: string } }
  | { readonly kind: 'leverage'; readonly cap: number }
  | { readonly kind: 'negativeBalance'; readonly isGiven: boolean }
);

/** The facts for clients of a country about one legal entity that takes retail clients. */
export interface EntityVerdict {
  readonly entity: JudgedEntity;
  /** Who says that clients of the country sign with it; undefined: no source does. */
  readonly stated: JudgedEntity['serves'];
  /** Its authorisations in force that a register confirms within its term, of any country. */
  readonly supervision: readonly LicenseEvidence[];
  /**
   * The active licences that permit it to take clients of the country: authorisations by a regulator of the country,
   * and passports for which a register lists the country. Empty: none is confirmed.
   */
  readonly permits: readonly LicenseEvidence[];
  /**
   * Protections of its clients: those of the authorisations in `permits`, and of those behind the passports in it.
   * Empty unless a source says that clients of the country sign with it, and beside a warning about the firm itself.
   */
  readonly protections: readonly ClientProtection[];
}

/**
 * How far a broker may take clients of a country. `permitted`: a register confirms it for a legal entity with which
 * they sign. `other_entity`: a register confirms it for a legal entity, and no source says that they sign with that
 * one. `not_confirmed`: some licence could reach them, and none is confirmed for retail clients. `none`: no licence is
 * known, the licences of the broker were compared, and every register that could hold one was read within its term.
 * `unknown`: no licence is known, and the licences were never compared or some register was not read.
 */
export type PermissionState = 'permitted' | 'other_entity' | 'not_confirmed' | 'none' | 'unknown';

/** The facts for clients of a country about a broker. It never says that a firm is safe. */
export interface Verdict {
  readonly residence: string;
  /** Alarms, the most important first: they come before all else. Empty: no warning is known. */
  readonly alarms: readonly (
    | { readonly kind: 'suspected_clone' }
    | { readonly kind: 'warned' | 'warned_unchecked' | 'impersonated'; readonly warning: JudgedWarning }
  )[];
  /** How the firm ended; null: it has not. */
  readonly ending: { readonly kind: 'ceased' | 'merged'; readonly successor: string | undefined } | null;
  /** Legal entities that take retail clients, those with which clients of the country sign first. */
  readonly entities: readonly EntityVerdict[];
  /** Null for firms that do not operate: suspected clones, and those that have ended. */
  readonly permission: {
    readonly state: PermissionState;
    /** Licences that could reach clients of the country and that are not confirmed for them. */
    readonly unconfirmed: readonly LicenseEvidence[];
    /** Registers that could hold a licence and do not count as read, those of the country itself first. */
    readonly unread: readonly UnreadRegister[];
    /** False: nobody ever compared the licences of this broker with the registers. */
    readonly isCompared: boolean;
  } | null;
}

/** The country and the time that a verdict is for. */
interface Question {
  readonly residence: string;
  /** Countries whose regulators could license a firm for it. */
  readonly countries: readonly string[];
  readonly at: Date;
}

const isAfter = (iso: string, at: Date): boolean => Date.parse(iso) > at.getTime();

const listAlarms = ({ status, warnings }: JudgedBroker): Verdict['alarms'] => {
  const newestFirst = warnings.toSorted((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt));
  const { confirmed, unchecked, clone } = groupWarnings(newestFirst);
  return [
    ...(status === 'suspected_clone' ? [{ kind: 'suspected_clone' } as const] : []),
    ...confirmed.map((warning) => ({ kind: 'warned', warning }) as const),
    ...unchecked.map((warning) => ({ kind: 'warned_unchecked', warning }) as const),
    ...clone.map((warning) => ({ kind: 'impersonated', warning }) as const),
  ];
};

/** Returns the registers that could hold a licence and that do not count as read. */
const listUnread = ({ registers }: JudgedBroker, { countries, residence, at }: Question): UnreadRegister[] => {
  const unread = countries.flatMap((country): UnreadRegister[] => {
    const own = registers.filter((register) => register.country === country);
    if (own.length === 0) return [{ country, register: undefined }];
    return own
      .filter(({ readAt, readUntil }) => readAt === null || readUntil === null || !isAfter(readUntil, at))
      .map((register) => ({ country, register }));
  });
  const isNear = ({ country }: UnreadRegister): boolean => country === residence;
  return [...unread.filter(isNear), ...unread.filter((one) => !isNear(one))];
};

/** Returns the protections that a regulator's rules state with a source. */
const listProtections = ({ register }: LicenseEvidence): ClientProtection[] => {
  const rules = register?.rules;
  if (register === undefined || rules === undefined) return [];
  const { compensationLimit, retailLeverageCap, negativeBalance } = rules.protections;
  const toProof = (fact: string) => ({
    register,
    sources: rules.sources
      .filter((source) => source.fact === fact || source.fact === 'protections')
      .map(({ url }) => url),
    checkedAt: rules.lastVerifiedAt,
  });
  const all = [
    compensationLimit !== null &&
      ({ kind: 'compensation', limit: compensationLimit, ...toProof('compensationLimit') } as const),
    negativeBalance !== null &&
      ({ kind: 'negativeBalance', isGiven: negativeBalance, ...toProof('negativeBalance') } as const),
    retailLeverageCap !== null &&
      ({ kind: 'leverage', cap: retailLeverageCap, ...toProof('retailLeverageCap') } as const),
  ];
  return all.filter((one) => one !== false && one.sources.length > 0) as ClientProtection[];
};

/** Returns true if its regulator has not restricted it: a restriction can forbid new clients. */
const isActive = ({ license }: LicenseEvidence): boolean => license.status === 'active';

const isAuthorisation = ({ license }: LicenseEvidence): boolean => license.type === 'authorisation';

/** Returns true if the regulator licenses leveraged FX with retail clients, so that its licence can permit it. */
const isForRetail = ({ register }: LicenseEvidence): boolean =>
  register?.rules?.protections.retailLeveragedFx === 'licensed';

/** Judges one legal entity by its own licences that are confirmed. */
const judgeEntity = (
  entity: JudgedEntity,
  confirmed: readonly LicenseEvidence[],
  { residence, countries }: Question,
): EntityVerdict => {
  const own = confirmed.filter(({ license }) => license.entity.legalName === entity.legalName);
  const supervision = own.filter(isAuthorisation);
  const usable = supervision.filter((one) => isActive(one) && isForRetail(one));
  const home = usable.filter(({ register }) => register?.country === residence);
  // a passport relies on an authorisation in another of the countries
  const bases = usable.filter(({ register }) => register !== undefined && countries.includes(register.country));
  const notified = own.filter(
    (one) =>
      isActive(one) && one.license.type === 'passport' && one.license.notifiedCountries?.includes(residence) === true,
  );
  const permits = [...home, ...(bases.length > 0 ? notified : [])];
  const stated = entity.serves?.countries.includes(residence) === true ? entity.serves : undefined;
  const permitting = new Set(permits.map(({ license }) => license.regulatorCode));
  // a passport in the register of another regulator does not say which of several authorisations is behind it
  const isKnown = notified.length > 0 && new Set(bases.map(({ license }) => license.regulatorCode)).size === 1;
  const behind = bases.filter(({ license }) => isKnown || permitting.has(license.regulatorCode));
  const protecting = new Map(behind.map((one) => [one.license.regulatorCode, one]));
  return {
    entity,
    stated,
    supervision,
    permits,
    protections: stated && permits.length > 0 ? [...protecting.values()].flatMap(listProtections) : [],
  };
};

/**
 * Returns what is known for clients of a country about a broker, with the sources, from the answer of
 * `GET /brokers/{slug}` alone. Nothing is concluded from a missing fact: taking away a fact that speaks for the firm
 * never makes a better verdict.
 * @param residence ISO 3166-1 alpha-2 code in capital letters
 * @param at the time of the verdict, since licences and readings of registers end
 * @throws RangeError if the residence is not two capital letters
 * @example decideVerdict(broker, 'DE', new Date('2026-11-28')).permission?.state // 'unknown'
 */
export const decideVerdict = (broker: JudgedBroker, residence: string, at: Date): Verdict => {
  if (!/^[A-Z]{2}$/.test(residence))
    throw new RangeError(`The residence "${residence}" is not an ISO 3166-1 alpha-2 code in capital letters.`);
  const { status, successor } = broker;
  const alarms = listAlarms(broker);
  const ending: Verdict['ending'] = status === 'ceased' || status === 'merged' ? { kind: status, successor } : null;
  if (status !== 'operating') return { residence, alarms, ending, entities: [], permission: null };
  const asked: Question = { residence, countries: listLicensingCountries(residence), at };
  const held = broker.licenses
    .filter((license) => !hasLicenseEnded(license))
    .map((license) => ({
      license,
      register: broker.registers.find(({ code }) => code === license.regulatorCode),
    }));
  const confirmed = held.filter(({ license }) => isLicenseCurrent(broker, license, at));
  const judged = broker.entities
    .filter(({ retailClients }) => retailClients)
    .map((entity) => judgeEntity(entity, confirmed, asked));
  const permits = new Set(judged.flatMap((one) => one.permits.map(({ license }) => license)));
  const unconfirmed = held.filter(
    ({ license, register }) =>
      !permits.has(license) &&
      (register === undefined ||
        asked.countries.includes(register.country) ||
        license.notifiedCountries?.includes(residence) === true),
  );
  const unread = listUnread(broker, asked);
  const isCompared = broker.licensesCheckedAt !== null;
  const findState = (): PermissionState => {
    if (judged.some((one) => one.stated && one.permits.length > 0)) return 'permitted';
    if (permits.size > 0) return 'other_entity';
    if (unconfirmed.length > 0) return 'not_confirmed';
    return isCompared && unread.length === 0 ? 'none' : 'unknown';
  };
  // a promise beside an alarm would read as praise
  const entities = isWarned(broker.warnings) ? judged.map((one) => ({ ...one, protections: [] })) : judged;
  return {
    residence,
    alarms,
    ending: null,
    entities: [...entities.filter(({ stated }) => stated), ...entities.filter(({ stated }) => !stated)],
    permission: { state: findState(), unconfirmed, unread, isCompared },
  };
};
