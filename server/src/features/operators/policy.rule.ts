/** The roles of operators. */
export const ROLES = {
  moderator: 'decides about reviews, reports and appeals',
  editor: 'keeps brokers, regulators, licences, news and incidents right',
  complaints: 'handles complaints',
  admin: 'may do everything, and says who the others are',
  outside: 'belongs to another house, and decides appeals only',
} as const satisfies Record<string, string>;
export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** The rights needed to run a command. */
export interface Rights {
  /** Roles that may run it besides admins, who may run all commands. */
  readonly roles?: readonly Role[];
  /** True if it also runs without a token: timers run it, and it decides nothing about a person. */
  readonly unattended?: true;
  /** True if it ignores tokens: it shows published facts or the state of this machine, or needs another proof. */
  readonly open?: true;
  /** True if it only reads: its database refuses to change anything, and an empty one stays empty. */
  readonly reads?: true;
  /** True if it writes to the database although it is open. */
  readonly writes?: true;
}

/** Returns true if a role may run a command with these rights. */
export const isAllowed = (role: Role, { roles = [] }: Rights): boolean => role === 'admin' || roles.includes(role);

/** Returns those of some commands that a role may run. */
export const listAllowed = (commands: Readonly<Record<string, Rights>>, role: Role): string[] =>
  Object.entries(commands).flatMap(([words, rights]) => (isAllowed(role, rights) ? [words] : []));

/** The actor's name if the caller gives none. */
export const NOBODY = 'system';

/** Characters that are not confused with others, since a name identifies a person in the audit trail for ever. */
const NAME = /^[a-z][a-z0-9._-]{0,39}$/;

/** Returns the fault of an operator's name, or undefined. */
export const findNameFault = (name: string): string | undefined => {
  if (!NAME.test(name)) return 'Give 1 to 40 small letters, digits, dots, hyphens and underscores; a letter first.';
  if (name === NOBODY) return `"${NOBODY}" is what the audit trail calls those who give no name.`;
  return undefined;
};
