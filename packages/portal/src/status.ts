export { type StatusFrame, statusPage } from './status/page.ts';
export {
  readStatus,
  type Seen,
  SHOWN,
  type StatusDay,
  type StatusIncident,
  type StatusMonth,
  type StatusState,
} from './status/state.ts';
