import {
  type Candidates,
  overruleProperty,
  overrulesIn,
  type Said,
  sourceKey,
} from '../../platform/statements/statement.rule.ts';
import { holderNames, licenseDeciders, licenseNameIn } from './licenses.rule.ts';

/**
 * Returns what editors state to take back that they overruled a source in a field: also if the source says something
 * else of it by now, or nothing. Empty if they did not.
 */
export const endOverrules = (candidates: Candidates, field: string, source: string): Said[] => {
  const own = overrulesIn(candidates).filter((one) => sourceKey(one.source) === source);
  const stated = own.map(
    ({ property, value }) => [property, { ...licenseNameIn(property), ...(value as object) }] as const,
  );
  const ofLicenses = licenseDeciders(stated, field, holderNames(candidates).nameOf);
  return own
    .filter(({ property }) => property === field || ofLicenses.has(property))
    .map((one) => ({ property: overruleProperty(one) }));
};
