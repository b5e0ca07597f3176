import { commitmentInput, type SaltedText, toBase64 } from '@broker-transparency/log';
import { sha256 } from './platform.ts';

/** Returns true if an entry commits to this text. False if the random bytes are not base64. */
export const isCommitted = async (salted: SaltedText, commitment: unknown): Promise<boolean> => {
  try {
    return toBase64(await sha256(commitmentInput(salted))) === commitment;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};
