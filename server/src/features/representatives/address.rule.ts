import { mailAddress } from '../notices/address.rule.ts';

/** An address that an operator wants to write to, and the place in a regulator's register where it stands. */
export interface RegisterAddress {
  readonly address: string;
  /** Code of the regulator whose register gives the address. */
  readonly register: string;
  /** An https link to the entry of the firm, or its number in the register. */
  readonly place: string;
}

/** The facts that decide about an address. */
export interface AddressFacts {
  /** Addresses of the website and the register of the regulator; undefined if the code names no regulator. */
  readonly regulator: { readonly website: string; readonly registerUrl: string } | undefined;
  /** Hosts of the broker, and the address of its website. */
  readonly domains: readonly string[];
}

export type AddressFault =
  | 'no_address'
  | 'unknown_register'
  | 'no_place'
  | 'place_elsewhere'
  | 'own_domain_without_link'
  | 'no_domain_without_link';

const toHost = (domainOrUrl: string): string => {
  const url = URL.parse(domainOrUrl.includes('://') ? domainOrUrl : `https://${domainOrUrl}`);
  return (url?.hostname ?? '').replace(/^www\./, '');
};

const isWithin = (host: string, domain: string): boolean =>
  domain !== '' && (host === domain || host.endsWith(`.${domain}`));

const isLink = (place: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(place);

/**
 * Returns why a code must not go to an address, or undefined. Everybody can have a mailbox at a domain that looks like
 * the firm's, so the register has to give the address: a link into it, or the number of the entry there. An address at
 * a domain of the broker itself needs the link, which anybody can check. So does one above or below such a domain, and
 * any address while no domain of the broker is known.
 */
export const findAddressFault = (
  { address, place }: Pick<RegisterAddress, 'address' | 'place'>,
  { regulator, domains }: AddressFacts,
): AddressFault | undefined => {
  const mail = mailAddress(address);
  if (mail === undefined) return 'no_address';
  if (regulator === undefined) return 'unknown_register';
  if (place.trim() === '') return 'no_place';
  if (isLink(place.trim())) {
    const url = URL.parse(place.trim());
    const hosts = [regulator.website, regulator.registerUrl].map(toHost);
    const isThere = url?.protocol === 'https:' && hosts.some((host) => isWithin(toHost(place.trim()), host));
    return isThere ? undefined : 'place_elsewhere';
  }
  const domain = mail.slice(mail.lastIndexOf('@') + 1);
  const hosts = domains.map(toHost).filter((host) => host !== '');
  if (hosts.length === 0) return 'no_domain_without_link';
  const isOwn = hosts.some((host) => isWithin(domain, host) || isWithin(host, domain));
  return isOwn ? 'own_domain_without_link' : undefined;
};

/** The faults of an address, with their cures. */
export const ADDRESS_FAULTS: Readonly<Record<AddressFault, string>> = {
  no_address: 'This is not a mail address.',
  unknown_register: 'No regulator has this code. See: regulator list',
  no_place: 'Say where the register gives the address: a link to the entry, or its number there.',
  place_elsewhere: 'The link has to be https, and lead to the website or the register of this regulator.',
  own_domain_without_link:
    'The address is at a domain of the broker itself. Give a link to the entry of the register that shows it.',
  no_domain_without_link:
    'No domain of the broker is known, so the address may be its own. Give a link to the entry of the register that shows it.',
};
