/** A message as it is signed and sent. */
export interface Message {
  /** The same for each attempt, so that receivers can skip duplicates. */
  readonly id: string;
  readonly body: string;
}

/** Returns a message in the format of Standard Webhooks. */
export const createMessage = (id: string, type: string, timestamp: string, data: object): Message => ({
  id,
  body: JSON.stringify({ type, timestamp, data }),
});

/** A secret of an endpoint. Signing needs it in plain text, so it is stored unhashed. */
export interface Secret {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly createdAt: Date;
  /** Time until which it signs beside its successor. */
  readonly endsAt: Date | null;
}

/** Reason why a delivery failed. */
export interface DeliveryFault {
  /** Text for the owner of the endpoint. */
  readonly problem: string;
  /** True if the fault does not depend on this event: the endpoint cannot be reached, or asks for a pause. */
  readonly isWhole: boolean;
  /** Pause that the endpoint asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** Time limit for an endpoint's answer, in milliseconds. */
export const ANSWER_MS = 15_000;

/** Longest pause that a receiver can ask for, in milliseconds. */
export const MOST_RETRY_AFTER_MS = 3_600_000;
