import type { IncomingMessage } from 'node:http';
import type { EnterpriseScope, PlanName } from '@broker-transparency/contract/enterprise';
import type { Agreement, Organisation } from '../organisations/facts.ts';

/** Who sends a request, by an agreement. */
export interface Customer {
  readonly organisation: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly agreement: Agreement;
  /** The key of the request; undefined if it came with a token of the identity provider. */
  readonly key: { readonly id: string; readonly name: string; readonly expiresAt: Date } | undefined;
  /** What the request may be for. */
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

/** Returns who sends a request that the guard has let in. */
export const requireCustomer = ({ context: { customer } }: Pick<IncomingMessage, 'context'>): Customer => {
  if (!customer) throw new Error('the request was not let in');
  return customer;
};
