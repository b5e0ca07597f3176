import { fromBase64, type VerifierKey } from '@broker-transparency/log';
import {
  DELIVERY_HEADERS,
  DELIVERY_SECONDS,
  type DeliveryHead,
  deliveryText,
} from '@broker-transparency/service-level';

/** The headers of a delivery. */
export interface SignedHead extends DeliveryHead {
  /** Signature in base64. */
  readonly signature: string;
}

/** A fault of a header of a delivery. */
export interface HeadFault {
  readonly parameter: string;
  readonly code: 'invalid_format' | 'invalid_value' | 'invalid_signature';
  readonly why: string;
}

/** Verifies a raw Ed25519 signature. */
type VerifyHead = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>;

/** Returns the bytes of a signature; undefined if it is not canonical base64. */
export const parseSignature = (text: string): Uint8Array | undefined => {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
};

/** Returns the fault of a delivery's headers, before the body is read; undefined if there is none. */
export const findHeadFault = async (
  head: SignedHead,
  { publicKey }: VerifierKey,
  now: Date,
  verify: VerifyHead,
): Promise<HeadFault | undefined> => {
  const { time, digest, signature } = DELIVERY_HEADERS;
  if (!/^\d{1,12}$/.test(head.time))
    return { parameter: time, code: 'invalid_format', why: 'must be a time in whole seconds since 1970' };
  if (!/^[A-Za-z0-9+/]{43}=$/.test(head.digest))
    return { parameter: digest, code: 'invalid_format', why: 'must be a SHA-256 in base64' };
  if (Math.abs(now.getTime() / 1000 - Number(head.time)) > DELIVERY_SECONDS)
    return {
      parameter: time,
      code: 'invalid_value',
      why: `must be within ${DELIVERY_SECONDS} s of the service's clock`,
    };
  const bytes = parseSignature(head.signature);
  if (bytes && (await verify(publicKey, Buffer.from(deliveryText(head)), bytes))) return undefined;
  return { parameter: signature, code: 'invalid_signature', why: 'is not by the key of the prober' };
};
