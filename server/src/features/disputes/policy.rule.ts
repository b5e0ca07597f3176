import type { DisputeField } from '@broker-transparency/contract';

/** Days within which the operator is to decide. This is the service's own deadline, not a legal one. */
export const DECISION_DAYS = 14;

/** Most open disputes of one broker at a time. A field has one open dispute at most. */
export const MOST_OPEN = 10;

/** Most disputes that a broker opens within some days. Each one stands in the public record for ever. */
export const MOST_NEW = { count: 20, days: 30 } as const;

/** Most links to evidence in one dispute. */
export const MOST_LINKS = 10;

/** Fewest and most characters of the text. */
export const TEXT_LENGTH = { min: 20, max: 4000 } as const;

/** Facts that sources state. The others are figures, which follow from complaints and reviews. */
const COMPUTED: ReadonlySet<DisputeField> = new Set(['complaints', 'reviews']);

/** Returns whether sources state a fact, so that a statement changes it. */
export const isStated = (field: DisputeField): boolean => !COMPUTED.has(field);

/** Starts of the names under which sources state parts of a fact, by field. */
const PROPERTIES: Readonly<Partial<Record<DisputeField, string>>> = {
  licenses: 'finding ',
  warnings: 'warning ',
  legalName: 'renamed ',
};

const OVERRULE = 'overrule ';

/**
 * Returns whether a statement is about a field: it states the field, a part of it, or the end of an overruled source.
 * @param property name under which a source states a fact, such as `warning fca/1`
 */
export const isAbout = (property: string, field: DisputeField): boolean => {
  const start = PROPERTIES[field];
  if (property === field || (start !== undefined && property.startsWith(start))) return true;
  if (!property.startsWith(OVERRULE)) return false;
  return property.endsWith(` ${field}`) || (start !== undefined && property.includes(` ${start}`));
};
