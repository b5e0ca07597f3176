import { SCOPES } from '@broker-transparency/contract';
import { grantAccess, issueKey, listKeys, revokeKey } from '../../enterprise/organisations/actions.ts';
import { createToken, listTokens, revokeToken } from '../../features/accounts/actions.ts';
import type { KycStatus } from '../../features/accounts/kyc.rule.ts';
import type { Context } from '../../ledger/context.ts';

const DAY = 86_400_000;

const mintToken = async (
  context: Context,
  subject: string,
  displayName: string,
  status: KycStatus,
): Promise<string> => {
  for (const token of await listTokens(context.db, subject))
    if (!token.revokedAt) await revokeToken(context, token.id, 'demo');
  const expiresAt = new Date(context.clock().getTime() + DAY);
  const made = await createToken(context, {
    subject,
    displayName,
    scopes: SCOPES,
    expiresAt,
    label: 'demo',
    kyc: { status },
    reason: 'demo',
  });
  return made.token;
};

/** Creates two tokens to try POSTs with. Each start creates new ones and ends the earlier ones. */
export const mintDemoTokens = async (context: Context) => ({
  verified: await mintToken(context, 'demo-verified', 'Demo reviewer', 'verified'),
  unverified: await mintToken(context, 'demo-unverified', 'Demo visitor', 'none'),
});

/** The organisation that a demo's key belongs to. */
const DEMO = 'demo';

/** Creates a key to try the enterprise routes with. Each start creates a new one and ends the earlier ones. */
export const mintDemoKey = async (context: Context): Promise<string> => {
  const now = context.clock();
  await grantAccess(context, DEMO, {
    name: 'Demo organisation (fictional)',
    plan: 'regulator',
    acceptedBy: 'the demo',
    acceptedAt: now,
  });
  for (const { id, revokedAt, expiresAt } of await listKeys(context.db, DEMO))
    if (!revokedAt && expiresAt > now) await revokeKey(context, id);
  const { secret } = await issueKey(context, DEMO, {
    name: 'demo',
    expiresAt: new Date(now.getTime() + DAY),
    environment: 'sandbox',
  });
  return secret;
};
