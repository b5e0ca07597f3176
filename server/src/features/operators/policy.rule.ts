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
  readonly roles: readonly Role[];
  /** True if it also runs without a token: timers run it, and it decides nothing about a person. */
  readonly unattended?: true;
  /** True if it ignores tokens: it shows published facts or the state of this machine, or needs another proof. */
  readonly open?: true;
  /** True if it only reads: it changes nothing, and leaves an empty database empty. */
  readonly reads?: true;
}

const admins: Rights = { roles: [] };
const editors: Rights = { roles: ['editor'] };
const moderators: Rights = { roles: ['moderator'] };
const handlers: Rights = { roles: ['complaints'] };
const appeals: Rights = { roles: ['moderator', 'outside'] };
const ofFacts: Rights = { roles: ['moderator', 'editor', 'complaints'] };
const ofBrokers: Rights = { roles: ['editor', 'complaints'] };
const ofTexts: Rights = { roles: ['moderator', 'editor'] };
const ofMail: Rights = { roles: ['moderator', 'complaints'] };
const everybody: Rights = { roles: ['moderator', 'editor', 'complaints', 'outside'] };
const timers: Rights = { roles: [], unattended: true };
const open: Rights = { roles: [], open: true };
const reading = (rights: Rights): Rights => ({ ...rights, reads: true });
const editorsAndTimers: Rights = { roles: ['editor'], unattended: true };

/** The policy has a row for every command. Once there are operators, a command without a row is refused. */
export const POLICY: Readonly<Record<string, Rights>> = {
  'account block': moderators,
  'account blocks': reading(admins),
  'account erase': admins,
  'account export': admins,
  'account kyc': admins,
  'account list': reading(admins),
  'account show': reading(admins),
  'account unblock': moderators,
  'admin account expire': timers,
  'admin account replay-blocks': admins,
  'admin audit follow': open,
  'admin complaint clocks': { roles: ['complaints'], unattended: true },
  'admin enterprise new-webhook-key': open,
  'admin enterprise snapshot': timers,
  'admin job list': reading(open),
  'admin job run': timers,
  'admin log new-key': open,
  'admin log recover': admins,
  'admin log set-aside': admins,
  'admin mail bounces': timers,
  'admin mail test': timers,
  'admin migrate': timers,
  'admin moderation recount': { roles: ['moderator'], unattended: true },
  'admin operator claim': admins,
  'admin operator new-token': open,
  'admin operator recover': open,
  'admin probe': open,
  'admin prober add': admins,
  'admin prober end': admins,
  'admin prober list': reading(open),
  'admin prober new-key': open,
  'admin rebuild': timers,
  'admin score refresh': timers,
  'admin seed': admins,
  'appeal add': moderators,
  'appeal decide': appeals,
  'appeal end-links': moderators,
  'appeal list': reading(appeals),
  'audit list': reading(admins),
  backup: timers,
  'broker add': editors,
  'broker contact add': ofBrokers,
  'broker contact confirm': ofBrokers,
  'broker contact list': reading(ofBrokers),
  'broker contact remove': ofBrokers,
  'broker export': reading(open),
  'broker list': reading(open),
  'broker mark remove': editors,
  'broker mark set': editors,
  'broker merge': editors,
  'broker rename': editors,
  'broker set': editors,
  'broker show': reading(open),
  'broker split': editors,
  'complaint add': handlers,
  'complaint answer': handlers,
  'complaint close': handlers,
  'complaint correct': handlers,
  'complaint evidence': handlers,
  'complaint forward': handlers,
  'complaint list': reading(handlers),
  'complaint reject': handlers,
  'complaint remind': handlers,
  'complaint reminders': reading(handlers),
  'complaint resolve': handlers,
  'complaint screen': handlers,
  'complaint show': reading(handlers),
  'complaint withdraw': handlers,
  completion: open,
  'context add': open,
  'context list': open,
  'context remove': open,
  'context show': open,
  'context use': open,
  'dispute decide': editors,
  'dispute list': reading(ofFacts),
  'dispute show': reading(ofFacts),
  'dispute text': ofTexts,
  'enterprise access': reading(admins),
  'enterprise end': admins,
  'enterprise grant': admins,
  'enterprise issue-key': admins,
  'enterprise list': reading(admins),
  'enterprise revoke-key': admins,
  'enterprise rotate-key': admins,
  'enterprise show': reading(admins),
  'enterprise usage': reading(admins),
  'enterprise webhooks': reading(admins),
  'fact history': reading(ofFacts),
  'fact overrule': editors,
  'fact show': reading(open),
  'import brokers': editors,
  'import complaints': admins,
  'import list': reading(editors),
  'import news': editors,
  'import regulators': editors,
  'import reviews': admins,
  'import undo': editors,
  'incident list': reading(open),
  'incident open': editors,
  'incident resolve': editors,
  'incident retract': editors,
  'incident show': reading(open),
  'incident update': editors,
  'license check': editors,
  'license leis': reading(open),
  'license list': reading(open),
  'log show': reading(open),
  'log sign': open,
  'mail list': reading(ofMail),
  'mail retry': ofMail,
  'mail show': reading(ofMail),
  'mail webhook add': admins,
  'mail webhook list': reading(admins),
  'mail webhook remove': admins,
  'moderation reasons': open,
  'news feeds': reading(open),
  'news list': reading(open),
  'news pull': editorsAndTimers,
  'news remove': editors,
  'operator add': admins,
  'operator confirm': admins,
  'operator decline': admins,
  'operator end': admins,
  'operator issue-token': admins,
  'operator list': reading(open),
  'operator renew': everybody,
  'operator revoke': admins,
  'operator roles': open,
  'operator set-role': admins,
  'operator sign-in': admins,
  'register add-file': editors,
  'register drop': editors,
  'register fetch': editorsAndTimers,
  'register list': reading(open),
  'register show': reading(open),
  'regulator add': editors,
  'regulator export': reading(open),
  'regulator list': reading(open),
  'regulator set': editors,
  'regulator show': reading(open),
  'reply decline': moderators,
  'reply list': reading(moderators),
  'reply publish': moderators,
  'report add': moderators,
  'report decide': moderators,
  'report forget': moderators,
  'report list': reading(moderators),
  'representative confirm': ofBrokers,
  'representative end': ofBrokers,
  'representative list': reading(ofBrokers),
  'representative request': ofBrokers,
  restore: admins,
  'review claim': moderators,
  'review duplicates': reading(moderators),
  'review flag': moderators,
  'review list': reading(moderators),
  'review next': moderators,
  'review publish': moderators,
  'review reject': moderators,
  'review release': moderators,
  'review remove': moderators,
  'review reply': moderators,
  'review restore': moderators,
  'review show': reading(appeals),
  'review withdraw': moderators,
  'review withhold': moderators,
  'review work': moderators,
  score: reading(open),
  serve: open,
  status: reading(open),
  'token create': admins,
  'token list': reading(admins),
  'token revoke': admins,
  'token rotate': admins,
  'warning alarms': reading(editors),
  'warning confirm': editors,
  'warning import': editorsAndTimers,
  'warning list': reading(open),
  'warning lists': reading(open),
  'warning queue': reading(editors),
  'warning reject': editors,
  'warning settle': editors,
  'warning show': reading(open),
  'warning undo': editors,
};

/** Returns the rights of a command, or undefined if the policy does not know it. */
export const findRights = (command: string): Rights | undefined =>
  Object.hasOwn(POLICY, command) ? POLICY[command] : undefined;

/** Returns true if a role may run a command with these rights. */
export const isAllowed = (role: Role, { roles }: Rights): boolean => role === 'admin' || roles.includes(role);

/** Returns the commands that a role may run, in order. */
export const listCommands = (role: Role): string[] =>
  Object.entries(POLICY)
    .filter(([, rights]) => isAllowed(role, rights))
    .map(([command]) => command);

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
