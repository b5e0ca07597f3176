import type { ScreeningAlert } from '@broker-transparency/contract/enterprise';

/** An alert without the number of its entry. */
export type Alert = Omit<ScreeningAlert, 'number'>;

/** Returns the alert of a warning; undefined if the warning was published for the broker by mistake. */
export const warningAlert = (value: unknown): Alert | undefined => {
  const warning = value as {
    about: string;
    source?: string;
    url?: string;
    title?: string;
    publishedAt?: string;
    withdrawnAt?: string;
  };
  const { about, source = null, url = null, title = null, publishedAt = null, withdrawnAt = null } = warning;
  if (about === 'not_this_firm') return undefined;
  return { kind: about === 'clone_of_it' ? 'clone_warning' : 'warning', title, source, url, publishedAt, withdrawnAt };
};

/** The alert of a broker that impersonates another one. */
export const CLONE_ALERT: Alert = {
  kind: 'suspected_clone',
  title: 'It is suspected to pretend to be another firm.',
  source: null,
  url: null,
  publishedAt: null,
  withdrawnAt: null,
};
