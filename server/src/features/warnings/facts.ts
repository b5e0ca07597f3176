/** What others may use of the warnings of authorities. */
export { findStanding, iterateStanding, type ListReading, listReadings, type NamedWarning } from './store.ts';
export { formatTitle, type WarningState } from './warning.rule.ts';
