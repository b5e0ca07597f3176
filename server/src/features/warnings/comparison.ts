import type { Comparison } from './match.rule.ts';

/** How names and domains of warnings and brokers are compared. */
export const COMPARISON: Comparison = {
  nameKey: (name) =>
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  domainOf: (address) => {
    try {
      const { hostname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
      const host = hostname.replace(/\.$/, '').replace(/^www\d?\./, '');
      return host.includes('.') && !/^[\d.]+$/.test(host) ? host : undefined;
    } catch {
      return undefined;
    }
  },
};
