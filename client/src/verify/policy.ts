import { keyIdFrom, keyIdInput, type Policy, parsePolicy, type VerifierKey } from '@broker-transparency/log';
import { parsing, VerifyError } from './error.ts';
import { sha256 } from './platform.ts';

const checkId = async (key: VerifierKey): Promise<void> => {
  if (keyIdFrom(await sha256(keyIdInput(key))) !== key.keyId)
    throw new VerifyError('invalid_policy', `the policy: the id of the key of ${key.name} is not the hash of the key`);
};

/**
 * Reads a policy and checks the ids of its keys, which a typing error in a key changes.
 * @throws VerifyError with the code `invalid_policy`
 */
export const readPolicy = async (text: string): Promise<Policy> => {
  const policy = parsing('invalid_policy', 'the policy', () => parsePolicy(text));
  await Promise.all([...policy.logs, ...policy.witnesses].map(({ key }) => checkId(key)));
  return policy;
};
