import type { ModerationCounts, ModerationDelay } from '@broker-transparency/contract';

/** The statement of an operator about itself. A missing part was not stated. */
export interface Operator {
  readonly name: string | undefined;
  /** Postal address in one line. */
  readonly address: string | undefined;
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string | undefined;
  /** Address of mail or of a page, like the other contacts. */
  readonly contact: string | undefined;
  readonly representative: string | undefined;
  /** Who answers for the texts, with address. */
  readonly editor: string | undefined;
  readonly register: string | undefined;
  readonly vatId: string | undefined;
  readonly supervisor: string | undefined;
  readonly privacyContact: string | undefined;
  readonly correctionsContact: string | undefined;
  /** Days within which a request for a correction is answered. */
  readonly correctionsDays: number | undefined;
  readonly securityContact: string | undefined;
  /** Who pays for the service. */
  readonly funding: string | undefined;
  /** Address of further terms. */
  readonly terms: string | undefined;
}

/** Numbers of disputes since the service began, by what became of them. */
export interface DisputeCounts {
  readonly reports: { readonly received: number; readonly open: number; readonly upheld: number };
  readonly appeals: { readonly received: number; readonly open: number; readonly reversed: number };
  /** Facts that firms disputed, by what became of it; `overdue` ones are open, and should have been decided. */
  readonly facts: Readonly<Record<'open' | 'overdue' | 'upheld' | 'rejected' | 'withdrawn', number>>;
  /** Complaints of clients about brokers, by state. */
  readonly complaints: Readonly<Record<'open' | 'resolved' | 'unresolved' | 'rejected' | 'withdrawn', number>>;
  /** Warnings of authorities and the brokers that they may mean, by the last decision on each pair. */
  readonly warnings: Readonly<Record<'waiting' | 'unchecked' | 'confirmed' | 'rejected' | 'undone' | 'ended', number>>;
}

/** How the reviews of all brokers were moderated, in the fields of the public answer about one. */
export interface ModerationFigures extends ModerationCounts {
  readonly delays: Readonly<Record<'reviews' | 'reports' | 'appeals', ModerationDelay>>;
}

/** A customer that is a broker or belongs to one. */
export interface InterestedCustomer {
  /** Null for a natural person, who is never named. */
  readonly name: string | null;
  /** Slug of the broker. */
  readonly broker: string;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339; null if no end is set. */
  readonly until: string | null;
}

/** The customers with an agreement, as far as they matter to readers. */
export interface CustomerInterests {
  /** Number of customers whose agreement has not ended. */
  readonly current: number;
  /** Every customer, also a former one, that is a broker or belongs to one. */
  readonly interested: readonly InterestedCustomer[];
}

/** Returns the address that a contact links to. */
export const toContactHref = (contact: string): string => (contact.includes('://') ? contact : `mailto:${contact}`);
