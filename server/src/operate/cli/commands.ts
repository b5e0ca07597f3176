import type { CommandDefinition, CommandFamily } from './define-command.ts';

/** A command of `broker-rating` or of `broker-rating admin`, or several that share their first words. */
export interface CommandEntry {
  readonly words: string;
  readonly alias?: string;
  readonly description: string;
  /** Imports the modules of these commands, so that other commands start without them. */
  readonly load: () => Promise<readonly (CommandDefinition | CommandFamily)[]>;
}

/** Commands under one heading of `--help`. */
interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly CommandEntry[];
}

/** The command that needs the options of all others. */
export const COMPLETION = 'completion';

/** Commands of timers, installers and repairs, in the order of `admin --help`. */
export const ADMIN_COMMANDS: readonly CommandEntry[] = [
  {
    words: 'admin seed',
    description: 'state the reference data on regulators again',
    load: async () => (await import('./seed.ts')).seedCommands,
  },
  {
    words: 'admin migrate',
    description:
      'bring a database of an earlier release up to date, beside running servers; Ctrl-C stops it, and it ' +
      'goes on from there',
    load: async () => (await import('./migrate.ts')).migrateCommands,
  },
  {
    words: 'admin rebuild',
    description: 'build every broker document again from its facts, compare byte for byte, and repair what differs',
    load: async () => (await import('./rebuild.ts')).rebuildCommands,
  },
  {
    words: 'admin job',
    description: 'list and run the jobs that the service runs at set times',
    load: async () => (await import('./job.ts')).jobCommands,
  },
  {
    words: 'admin account',
    description: 'mark identity verifications as expired, and renew blocks after a restore',
    load: async () => (await import('./account-admin.ts')).accountAdminCommands,
  },
  {
    words: 'admin audit',
    description: 'keep a copy of the audit trail in a file',
    load: async () => (await import('./audit-follow.ts')).followCommands,
  },
  {
    words: 'admin complaint',
    description: 'advance the clocks of complaints',
    load: async () => (await import('./complaint.ts')).clockCommands,
  },
  {
    words: 'admin enterprise',
    description: 'make snapshots for customers, and the key that signs their webhooks',
    load: async () => (await import('./enterprise-snapshot.ts')).enterpriseAdminCommands,
  },
  {
    words: 'admin log',
    description: 'make a key for the log, and repair the log',
    load: async () => (await import('./log.ts')).logAdminCommands,
  },
  {
    words: 'admin mail',
    description: 'test the settings of mail, and read reports of mails that came back',
    load: async () => (await import('./mail.ts')).mailAdminCommands,
  },
  {
    words: 'admin moderation',
    description: 'count again what moderators did',
    load: async () => (await import('./moderation.ts')).recountCommands,
  },
  {
    words: 'admin operator',
    description: 'make a token for yourself, help an admin without one, and claim a former name',
    load: async () => (await import('./operator.ts')).operatorAdminCommands,
  },
  {
    words: 'admin probe',
    description: 'measure a service from elsewhere, every minute as a caller would; it needs no database',
    load: async () => (await import('./probe.ts')).probeCommands,
  },
  {
    words: 'admin prober',
    description: 'register who measures the service from outside',
    load: async () => (await import('./prober.ts')).proberCommands,
  },
  {
    words: 'admin score',
    description: 'compute every score again',
    load: async () => (await import('./score.ts')).refreshCommands,
  },
];

/** Every other command, in the order of `--help`. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: 'Daily work:',
    commands: [
      {
        words: 'status',
        description: 'show what waits, fails or is old, on one screen; exits with 1 if somebody has to act now',
        load: async () => (await import('./status.ts')).statusCommands,
      },
      {
        words: 'review',
        description: 'moderators publish, reject and remove reviews',
        load: async () => (await import('./review.ts')).reviewCommands,
      },
      {
        words: 'report',
        description: 'moderators decide reports about published reviews: notice and action',
        load: async () => (await import('./moderation.ts')).reportCommands,
      },
      {
        words: 'appeal',
        description: 'moderators and outside deciders decide appeals about reviews',
        load: async () => (await import('./moderation.ts')).appealCommands,
      },
      {
        words: 'complaint',
        description: 'complaint handlers forward complaints to brokers and close them; they are private',
        load: async () => (await import('./complaint.ts')).complaintCommands,
      },
      {
        words: 'dispute',
        description: 'editors decide about the facts that firms dispute, each within 14 days',
        load: async () => (await import('./dispute.ts')).disputeCommands,
      },
      {
        words: 'reply',
        description: 'moderators publish or decline what firms reply to reviews',
        load: async () => (await import('./reply.ts')).replyCommands,
      },
      {
        words: 'warning',
        description: 'editors decide which brokers the warnings of authorities are about',
        load: async () => (await import('./warning.ts')).warningCommands,
      },
    ],
  },
  {
    heading: 'Facts:',
    commands: [
      {
        words: 'broker',
        description:
          'editors list, show, change, add, rename, merge, split and export brokers, and keep their contacts and marks',
        load: async () => (await import('./broker.ts')).brokerCommands,
      },
      {
        words: 'regulator',
        description: 'editors list, show, change, add and export regulators',
        load: async () => (await import('./regulator.ts')).regulatorCommands,
      },
      {
        words: 'fact',
        description: 'show what sources say of brokers and regulators, and which of it is published',
        load: async () => (await import('./fact.ts')).factCommands,
      },
      {
        words: 'license',
        alias: 'licence',
        description: 'list licences, and check them against the registers',
        load: async () => (await import('./license.ts')).licenseCommands,
      },
      {
        words: 'register',
        description: 'fetch published registers and lists, and compare them with our licences',
        load: async () => (await import('./register.ts')).registerCommands,
      },
      {
        words: 'news',
        description: 'editors pull and remove industry news',
        load: async () => (await import('./news.ts')).newsCommands,
      },
      {
        words: 'import',
        description:
          'editors bring data in from files: every row is checked first, and a file with a fault is not imported',
        load: async () => (await import('./import.ts')).importCommands,
      },
      {
        words: 'score',
        description: "take a broker's score apart, and recompute it from what is published",
        load: async () => (await import('./score.ts')).scoreCommands,
      },
    ],
  },
  {
    heading: 'People:',
    commands: [
      {
        words: 'account',
        description: 'verify, block, export and erase the people who write',
        load: async () => (await import('./account.ts')).accountCommands,
      },
      {
        words: 'representative',
        description: 'two operators confirm who may answer for a broker',
        load: async () => (await import('./representative.ts')).representativeCommands,
      },
      {
        words: 'token',
        description: 'admins create and revoke bearer tokens for what is not public',
        load: async () => (await import('./token.ts')).tokenCommands,
      },
      {
        words: 'operator',
        description: 'admins say who acts at this command line, in which role and with which tokens',
        load: async () => (await import('./operator.ts')).operatorCommands,
      },
      {
        words: 'audit',
        description: 'show who did what, when and why',
        load: async () => (await import('./audit.ts')).auditCommands,
      },
      {
        words: 'moderation',
        description: 'show the published reasons of moderation',
        load: async () => (await import('./moderation.ts')).moderationCommands,
      },
    ],
  },
  {
    heading: 'Customers:',
    commands: [
      {
        words: 'enterprise',
        description: 'admins grant organisations access by agreement, issue their keys and see what they use',
        load: async () => (await import('./enterprise.ts')).enterpriseCommands,
      },
    ],
  },
  {
    heading: 'Service:',
    commands: [
      {
        words: 'serve',
        description: 'serve the API until SIGTERM or SIGINT',
        load: async () => (await import('./serve.ts')).serveCommands,
      },
      {
        words: 'incident',
        description: 'editors write on /status what is out of order, and since when',
        load: async () => (await import('./incident.ts')).incidentCommands,
      },
      {
        words: 'mail',
        description: 'show and retry mails to people and brokers; notify your own systems by webhooks',
        load: async () => (await import('./mail.ts')).mailCommands,
      },
      {
        words: 'context',
        description: 'keep settings of commands under a name, such as the database that they work on',
        load: async () => (await import('./context.ts')).contextCommands,
      },
      {
        words: COMPLETION,
        description: 'print the script with which your shell completes commands, options and their values',
        load: async () => (await import('./completion.ts')).completionCommands,
      },
    ],
  },
  {
    heading: 'Safety:',
    commands: [
      {
        words: 'backup',
        description: 'write the whole database, as it is at one moment, to a new directory; it holds personal data',
        load: async () => (await import('./backup.ts')).backupCommands,
      },
      {
        words: 'restore',
        description:
          'restore a backup into an empty database, and erase again whoever was erased since; stop every server first',
        load: async () => (await import('./backup.ts')).restoreCommands,
      },
      {
        words: 'log',
        description: 'show how far the public log of the record reaches, and sign it',
        load: async () => (await import('./log.ts')).logCommands,
      },
    ],
  },
];

/** Every command that has a file of its own, those under `admin` among them. */
export const COMMANDS: readonly CommandEntry[] = [
  ...COMMAND_GROUPS.flatMap(({ commands }) => commands),
  ...ADMIN_COMMANDS,
];
