/** What others may use of the warnings of authorities. */
export { eachStanding, findStanding, type ListReading, listReadings, type NamedWarning } from './store.ts';
export { titleOf, type WarningState } from './warning.rule.ts';
