import type {
  ComplaintsValue,
  DisputeValue,
  Entry,
  RatedFacts,
  ReviewValue,
} from '@broker-transparency/contract/record';

/** A published broker as the record has it at its end. */
export interface ReplayedBroker {
  /** Key by which entries name the broker: its first slug. */
  readonly key: string;
  readonly facts: RatedFacts;
  /** Counts of complaints as of the last night. */
  readonly complaints: ComplaintsValue | null;
}

/** The state of the record at its end. */
export interface RecordState {
  /** Published brokers by slug. */
  readonly brokers: ReadonlyMap<string, ReplayedBroker>;
  /**
   * Returns the last value of a watched key; undefined if it is not known, null if nothing is published under it any
   * more.
   */
  readonly findValue: (key: string) => Entry['value'] | undefined;
  /** Returns the current slug of a broker by its key or any slug that it had; undefined if it is not published. */
  readonly findSlug: (name: string) => string | undefined;
  /** Returns the currently published reviews about brokers, by their keys. Reads all reviews once. */
  readonly reviewsAbout: (keys: ReadonlySet<string>) => Map<string, ReviewValue[]>;
  /** Every dispute of a broker, open or ended, by key of its entry. */
  readonly disputes: ReadonlyMap<string, DisputeValue>;
  /** Versions of the methodology, in the order in which they came into force. */
  readonly versions: readonly string[];
}
