/** Days for which a check of a register counts. Machines read published files; people check the other registers. */
export const FRESH_DAYS = { file: 35, byHand: 180 } as const;

/** Regulators with a published file of licences that the service reads. */
const WITH_FILE: ReadonlySet<string> = new Set(
  (
    'afm amf asf-ro asic atvp bafin cbi cftc cmvm cnb cnmv consob cssf cvm cysec efsa fca fi-se finanstilsynet-dk ' +
    'finanstilsynet-no finfsa finma fma-at fsa-jp fsc-bg fsc-bz fsma hanfa hcmc knf latvijas-banka lb mfsa mnb nbs-sk ' +
    'sca-ae sfc'
  ).split(' '),
);

const DAY_MS = 86_400_000;

/** Returns the number of days for which a check of the regulator's register counts. */
export const freshDays = (code: string): number => (WITH_FILE.has(code) ? FRESH_DAYS.file : FRESH_DAYS.byHand);

/** Returns the time until which a check counts. */
export const freshUntil = (verifiedAt: string, code: string): Date =>
  new Date(Date.parse(verifiedAt) + freshDays(code) * DAY_MS);

/** Returns true if the last check is older than the regulator's limit, or if there is none. */
export const isStale = (verifiedAt: string | null, code: string, now: Date): boolean =>
  verifiedAt === null || freshUntil(verifiedAt, code) <= now;
