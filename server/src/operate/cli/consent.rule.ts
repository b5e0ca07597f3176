/** How far an operator has agreed to something that cannot be undone. */
export type Consent = { readonly kind: 'agreed' | 'ask' } | { readonly kind: 'refused'; readonly detail: string };

const refuse = (detail: string): Consent => ({ kind: 'refused', detail: `${detail} Nothing was changed.` });

/**
 * Decides whether a command that cannot be undone goes on.
 * @param name whom or what it is about, which the operator repeats
 * @param yes the name after `--yes`; undefined: none is given
 * @param canAsk true if a person sits at a terminal
 */
export const evaluateConsent = (name: string, yes: string | undefined, canAsk: boolean): Consent => {
  if (yes === name) return { kind: 'agreed' };
  if (yes !== undefined) return refuse(`--yes names "${yes}", but this command is about "${name}".`);
  return canAsk
    ? { kind: 'ask' }
    : refuse(`This cannot be undone. See what it does with --dry-run, then add --yes '${name}'.`);
};

/** Decides whether a typed answer agrees. */
export const evaluateAnswer = (name: string, typed: string): Consent =>
  typed.trim() === name ? { kind: 'agreed' } : refuse(`That is not "${name}".`);
