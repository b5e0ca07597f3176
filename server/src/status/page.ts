import { hash } from 'node:crypto';
import { type StatusFrame, type StatusState, statusPage } from '@broker-transparency/portal/status';
import { statusStyle } from '../assets.ts';

/** The files of the page. */
export interface StatusFiles {
  readonly 'index.html': string;
  readonly 'status.json': string;
}

/**
 * Returns the policy of the page, which runs and loads nothing: its style is allowed by hash, and its icon is empty.
 */
export const createStatusPolicy = (): string =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', statusStyle(), 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'`;

/**
 * Makes the files of the page. They need no script, and load nothing from anywhere.
 * @param has returns true if the service has the page with this path
 */
export const renderStatus = (state: StatusState, has: StatusFrame['has'] = () => true): StatusFiles => ({
  'index.html': statusPage(state, { style: statusStyle(), policy: createStatusPolicy(), has }).text,
  'status.json': `${JSON.stringify(state)}\n`,
});
