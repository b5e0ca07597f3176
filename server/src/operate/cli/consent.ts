import { terminal } from '../../platform/terminal.ts';
import { type Consent, evaluateAnswer, evaluateConsent } from './consent.rule.ts';
import { formatCell } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Options of every command whose effect cannot be undone. */
export interface ConsentOptions {
  readonly yes?: string;
  readonly dryRun?: boolean;
}

/**
 * Returns the options of a command whose effect cannot be undone.
 * @param name what `--yes` repeats, such as `subject`
 */
export const createConsentOptions = <const N extends string>(name: N) =>
  ({
    dryRun: 'show what would happen; change nothing',
    yes: { value: `<${name}>`, what: `do not ask; repeat the ${name} here` },
  }) as const;

const requireAgreed = (consent: Consent): void => {
  if (consent.kind === 'refused') throw new UsageError(consent.detail);
};

/**
 * Makes sure that an operator wants something that cannot be undone: by `--yes`, or by typing the name at a terminal.
 * @param deed what will happen, such as `erases alice from everywhere`
 * @throws UsageError
 */
export const requireConsent = async (name: string, { yes }: ConsentOptions, deed: string): Promise<void> => {
  const { ask } = terminal();
  const consent = evaluateConsent(name, yes, ask !== undefined);
  requireAgreed(consent);
  if (consent.kind === 'ask' && ask)
    requireAgreed(
      evaluateAnswer(
        name,
        await ask(`This ${formatCell(deed)}, and cannot be undone. Type ${formatCell(name)} to go on: `),
      ),
    );
};
