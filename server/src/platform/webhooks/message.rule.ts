/** A message as it is signed and sent. */
export interface Message {
  /** The same each time it is sent, so that receivers can leave out what they have. */
  readonly id: string;
  readonly body: string;
}

/** Writes a message as Standard Webhooks does. */
export const createMessage = (id: string, type: string, timestamp: string, data: object): Message => ({
  id,
  body: JSON.stringify({ type, timestamp, data }),
});

/** A secret of an endpoint. It has to sign, so it is stored as it is. */
export interface Secret {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly createdAt: Date;
  /** Until when it signs beside the one that replaced it. */
  readonly endsAt: Date | null;
}

/** Why a delivery failed. */
export interface DeliveryFault {
  /** For whoever has the endpoint to read. */
  readonly problem: string;
  /** Whether it says nothing about this event: the endpoint cannot be reached, or wants a pause. */
  readonly isWhole: boolean;
  /** How long it wants to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** How long an endpoint has for its answer. */
export const ANSWER_MS = 15_000;

/** A receiver that asks for a pause is asked again after that, but after no longer than this. */
export const MOST_RETRY_AFTER_MS = 3_600_000;
