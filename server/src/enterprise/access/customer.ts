import type { IncomingMessage } from 'node:http';
import type { EnterpriseScope, PlanName } from '@broker-transparency/contract/enterprise';
import type { Agreement, Organisation } from '../organisations/facts.ts';

/** The organisation that sends a request, and its rights. */
export interface Customer {
  readonly organisation: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly agreement: Agreement;
  /** The key of the request; undefined if it came with a token of the identity provider. */
  readonly key: { readonly id: string; readonly name: string; readonly expiresAt: Date } | undefined;
  /** The scopes of the request. */
  readonly scopes: readonly EnterpriseScope[];
}

declare module '../../http/request/context.ts' {
  interface RequestContext {
    /** The organisation that sends the request; undefined outside the enterprise routes. */
    customer?: Customer;
    /** Path of the route in the enterprise contract. */
    route?: string | undefined;
  }
}

/** Returns the customer of an organisation. */
export const toCustomer = (
  { _id, name, plan, agreement }: Organisation,
  rights: Pick<Customer, 'key' | 'scopes'>,
): Customer => ({ organisation: _id, name, plan, agreement, ...rights });

/** Returns the customer of a request that has passed the guard. */
export const requireCustomer = ({ context: { customer } }: Pick<IncomingMessage, 'context'>): Customer => {
  if (!customer) throw new Error('the request was not let in');
  return customer;
};
