/** Days for which a look at a register counts. A published file is read by machine, the rest is looked up by people. */
export const FRESH_DAYS = { file: 35, byHand: 180 } as const;

/** Regulators whose licences a published file has that the service reads. */
const WITH_FILE: ReadonlySet<string> = new Set(
  (
    'afm amf asf-ro asic atvp bafin cbi cftc cmvm cnb cnmv consob cssf cvm cysec efsa fca fi-se finanstilsynet-dk ' +
    'finanstilsynet-no finfsa finma fma-at fsa-jp fsc-bg fsc-bz fsma hanfa hcmc knf latvijas-banka lb mfsa mnb nbs-sk ' +
    'sca-ae sfc'
  ).split(' '),
);

const DAY_MS = 86_400_000;

/** Returns for how many days a look at the register of a regulator counts. */
export const freshDays = (code: string): number => (WITH_FILE.has(code) ? FRESH_DAYS.file : FRESH_DAYS.byHand);

/** Returns until when a look counts. */
export const freshUntil = (verifiedAt: string, code: string): Date =>
  new Date(Date.parse(verifiedAt) + freshDays(code) * DAY_MS);

/** Returns true if nobody looked for longer than the regulator's bound allows, or ever. */
export const isStale = (verifiedAt: string | null, code: string, now: Date): boolean =>
  verifiedAt === null || freshUntil(verifiedAt, code) <= now;
