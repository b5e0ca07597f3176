import { commitmentInput, type SaltedText, toBase64 } from '@broker-transparency/contract/log';
import { sha256 } from './platform.ts';

/** Returns whether a text is the one that an entry commits to. With random bytes that are not base64 it is none. */
export const isCommitted = async (salted: SaltedText, commitment: unknown): Promise<boolean> => {
  try {
    return toBase64(await sha256(commitmentInput(salted))) === commitment;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};
