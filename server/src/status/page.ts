import { hash } from 'node:crypto';
import { type StatusFrame, type StatusState, statusPages } from '@broker-transparency/portal/status';
import { statusStyle } from '../assets.ts';

/** The files of the page by name: the page in each language, and its data. */
export type StatusFiles = Readonly<Record<string, string>> & Readonly<Record<'index.html' | 'status.json', string>>;

/**
 * Returns the policy of the page, which runs and loads nothing: its style is allowed by hash, its icon is a part of it,
 * and its only form is the search of the service.
 */
export const createStatusPolicy = (): string =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', statusStyle(), 'base64')}'; img-src data:; base-uri 'none'; form-action 'self'`;

/**
 * Makes the files of the page. They need no script, and load nothing from anywhere.
 * @param has returns true if the service has the page with this path
 */
export const renderStatus = (state: StatusState, has: StatusFrame['has'] = () => true): StatusFiles => {
  const pages = statusPages(state, { style: statusStyle(), policy: createStatusPolicy(), has });
  return { ...pages, 'status.json': `${JSON.stringify(state)}\n` };
};
