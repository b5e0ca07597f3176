import { toLinkSubject } from '../../features/accounts/link-subject.rule.ts';
import type { Role } from '../../features/operators/policy.rule.ts';
import { addTokenlessOperator } from '../../features/operators/tokenless.ts';
import { mintDemoCode } from '../../features/representatives/actions.ts';
import type { Context } from '../../ledger/context.ts';

/** The fictional operators of a demo, by the address with which they sign in. */
const OPERATORS: readonly { readonly name: string; readonly role: Role; readonly mail: string }[] = [
  { name: 'demo-admin', role: 'admin', mail: 'admin@demo.example' },
  { name: 'demo-outside', role: 'outside', mail: 'outside@demo.example' },
];

/** The firm that anybody may answer for in a demo. */
const FIRM = { slug: 'alpha-markets', name: 'Alpha Markets' } as const;

/**
 * Adds the operators of a demo, makes a code for a firm, and returns the lines that say how to try both. Each start makes a
 * new code and ends the one of before.
 */
export const createDemoPeopleLines = async (context: Context, url: string): Promise<string[]> => {
  for (const { mail, ...operator } of OPERATORS)
    await addTokenlessOperator(context, { ...operator, signsInAs: toLinkSubject(mail) });
  const code = await mintDemoCode(context, FIRM.slug);
  const [admin, outside] = OPERATORS;
  return [
    `The desk of the operators: sign in as ${admin?.mail}, or as ${outside?.mail} who decides appeals alone, at`,
    `  ${url}/sign-in?to=%2Fdesk`,
    `The side of a firm: sign in with any address, and give the code ${code} of ${FIRM.name} at`,
    `  ${url}/answer`,
  ];
};
