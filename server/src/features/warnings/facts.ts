/** The parts of warnings that others may use. */
export {
  countMatches,
  findStanding,
  iterateStanding,
  type ListReading,
  listReadings,
  type NamedWarning,
} from './store.ts';
export { formatTitle, type WarningState } from './warning.rule.ts';
