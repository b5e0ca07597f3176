export { STATUS_PAGES, type StatusFrame, statusPages } from './status/page.ts';
export {
  type CurrentState,
  readStatus,
  SHOWN,
  type StatusDay,
  type StatusIncident,
  type StatusMonth,
  type StatusState,
} from './status/state.ts';
