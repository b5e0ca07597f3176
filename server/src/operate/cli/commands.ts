import type { Command } from 'commander';

/** Adds arguments, options and subcommands to a command. */
type CommandSetup = (command: Command, env: NodeJS.ProcessEnv) => void;

/** A command of `broker-rating` or of `broker-rating admin`. */
export interface CommandEntry {
  readonly name: string;
  readonly alias?: string;
  readonly description: string;
  /** Imports the modules of this command, so that other commands start without them. */
  readonly load: () => Promise<CommandSetup>;
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
    name: 'seed',
    description: 'state the reference data on regulators again',
    load: async () => (await import('./seed.ts')).addSeedOptions,
  },
  {
    name: 'migrate',
    description:
      'bring a database of an earlier release up to date, beside running servers; Ctrl-C stops it, and it ' +
      'goes on from there',
    load: async () => (await import('./migrate.ts')).addMigrateOptions,
  },
  {
    name: 'rebuild',
    description: 'build every broker document again from its facts, compare byte for byte, and repair what differs',
    load: async () => (await import('./rebuild.ts')).addRebuildOptions,
  },
  {
    name: 'job',
    description: 'list and run what the service does by itself at a time',
    load: async () => (await import('./job.ts')).addJobCommands,
  },
  {
    name: 'account',
    description: 'mark identity verifications as expired, and renew blocks after a restore',
    load: async () => (await import('./account-admin.ts')).addAccountAdminCommands,
  },
  {
    name: 'audit',
    description: 'keep a copy of the audit trail in a file',
    load: async () => (await import('./audit-follow.ts')).addFollowCommand,
  },
  {
    name: 'complaint',
    description: 'advance the clocks of complaints',
    load: async () => (await import('./complaint.ts')).addClocksCommand,
  },
  {
    name: 'enterprise',
    description: 'make what customers download, and the key of their webhooks',
    load: async () => (await import('./enterprise-snapshot.ts')).addEnterpriseAdminCommands,
  },
  {
    name: 'log',
    description: 'make the key of the log, and repair the log',
    load: async () => (await import('./log.ts')).addLogAdminCommands,
  },
  {
    name: 'mail',
    description: 'test the settings of mail, and read reports of mails that came back',
    load: async () => (await import('./mail.ts')).addMailAdminCommands,
  },
  {
    name: 'moderation',
    description: 'count again what moderators did',
    load: async () => (await import('./moderation.ts')).addRecountCommand,
  },
  {
    name: 'operator',
    description: 'make a token for yourself, help an admin without one, and claim a former name',
    load: async () => (await import('./operator.ts')).addOperatorAdminCommands,
  },
  {
    name: 'probe',
    description: 'measure a service from elsewhere, every minute as a caller would; it needs no database',
    load: async () => (await import('./probe.ts')).addProbeOptions,
  },
  {
    name: 'prober',
    description: 'register who measures the service from outside',
    load: async () => (await import('./prober.ts')).addProberCommands,
  },
  {
    name: 'score',
    description: 'compute every score again',
    load: async () => (await import('./score.ts')).addRefreshCommand,
  },
];

/** Every other command, in the order of `--help`. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: 'Daily work:',
    commands: [
      {
        name: 'status',
        description: 'show what waits, fails or is old, on one screen; exits with 1 if somebody has to act now',
        load: async () => (await import('./status.ts')).addStatusOptions,
      },
      {
        name: 'review',
        description: 'moderators publish, reject and remove reviews',
        load: async () => (await import('./review.ts')).addReviewCommands,
      },
      {
        name: 'report',
        description: 'moderators decide reports about published reviews: notice and action',
        load: async () => (await import('./moderation.ts')).addReportCommands,
      },
      {
        name: 'appeal',
        description: 'moderators and outside deciders decide appeals about reviews',
        load: async () => (await import('./moderation.ts')).addAppealCommands,
      },
      {
        name: 'complaint',
        description: 'complaint handlers forward complaints to brokers and close them; they are private',
        load: async () => (await import('./complaint.ts')).addComplaintCommands,
      },
      {
        name: 'dispute',
        description: 'editors decide about the facts that firms dispute, each within 14 days',
        load: async () => (await import('./dispute.ts')).addDisputeCommands,
      },
      {
        name: 'reply',
        description: 'moderators publish or decline what firms reply to reviews',
        load: async () => (await import('./reply.ts')).addReplyCommands,
      },
      {
        name: 'warning',
        description: 'editors decide which brokers the warnings of authorities are about',
        load: async () => (await import('./warning.ts')).addWarningCommands,
      },
    ],
  },
  {
    heading: 'Facts:',
    commands: [
      {
        name: 'broker',
        description:
          'editors list, show, change, add, rename, merge, split and export brokers, and keep their contacts and marks',
        load: async () => (await import('./broker.ts')).addBrokerCommands,
      },
      {
        name: 'regulator',
        description: 'editors list, show, change, add and export regulators',
        load: async () => (await import('./regulator.ts')).addRegulatorCommands,
      },
      {
        name: 'fact',
        description: 'show what sources say of brokers and regulators, and which of it is published',
        load: async () => (await import('./fact.ts')).addFactCommands,
      },
      {
        name: 'license',
        alias: 'licence',
        description: 'list licences, and check them against the registers',
        load: async () => (await import('./license.ts')).addLicenseCommands,
      },
      {
        name: 'register',
        description: 'fetch published registers and lists, and compare them with our licences',
        load: async () => (await import('./register.ts')).addRegisterCommands,
      },
      {
        name: 'news',
        description: 'editors pull and remove industry news',
        load: async () => (await import('./news.ts')).addNewsCommands,
      },
      {
        name: 'import',
        description:
          'editors bring data in from files: every row is checked first, and a file with a fault is not imported',
        load: async () => (await import('./import.ts')).addImportCommands,
      },
      {
        name: 'score',
        description: "take a broker's score apart, and recompute it from what is published",
        load: async () => (await import('./score.ts')).addScoreCommands,
      },
    ],
  },
  {
    heading: 'People:',
    commands: [
      {
        name: 'account',
        description: 'verify, block, export and erase the people who write',
        load: async () => (await import('./account.ts')).addAccountCommands,
      },
      {
        name: 'representative',
        description: 'two operators confirm who may answer for a broker',
        load: async () => (await import('./representative.ts')).addRepresentativeCommands,
      },
      {
        name: 'token',
        description: 'admins create and revoke bearer tokens for what is not public',
        load: async () => (await import('./token.ts')).addTokenCommands,
      },
      {
        name: 'operator',
        description: 'admins say who acts at this command line, in which role and with which tokens',
        load: async () => (await import('./operator.ts')).addOperatorCommands,
      },
      {
        name: 'audit',
        description: 'show who did what, when and why',
        load: async () => (await import('./audit.ts')).addAuditCommands,
      },
      {
        name: 'moderation',
        description: 'show the published reasons of moderation',
        load: async () => (await import('./moderation.ts')).addModerationCommands,
      },
    ],
  },
  {
    heading: 'Customers:',
    commands: [
      {
        name: 'enterprise',
        description: 'admins grant organisations access by agreement, issue their keys and see what they use',
        load: async () => (await import('./enterprise.ts')).addEnterpriseCommands,
      },
    ],
  },
  {
    heading: 'Service:',
    commands: [
      {
        name: 'serve',
        description: 'serve the API until SIGTERM or SIGINT',
        load: async () => (await import('./serve.ts')).addServeOptions,
      },
      {
        name: 'incident',
        description: 'editors write on /status what is out of order, and since when',
        load: async () => (await import('./incident.ts')).addIncidentCommands,
      },
      {
        name: 'mail',
        description: 'show and retry mails to people and brokers; tell systems of yours by webhooks',
        load: async () => (await import('./mail.ts')).addMailCommands,
      },
      {
        name: 'context',
        description: 'keep settings of commands under a name, such as the database that they work on',
        load: async () => (await import('./context.ts')).addContextCommands,
      },
      {
        name: COMPLETION,
        description: 'print the script with which your shell completes commands, options and their values',
        load: async () => (await import('./completion.ts')).addCompletion,
      },
    ],
  },
  {
    heading: 'Safety:',
    commands: [
      {
        name: 'backup',
        description: 'write the whole database, as it is at one moment, to a new directory; it holds personal data',
        load: async () => (await import('./backup.ts')).addBackup,
      },
      {
        name: 'restore',
        description:
          'restore a backup into an empty database, and erase again whoever was erased since; stop every server first',
        load: async () => (await import('./backup.ts')).addRestore,
      },
      {
        name: 'log',
        description: 'show how far the public log of the record reaches, and sign it',
        load: async () => (await import('./log.ts')).addLogCommands,
      },
    ],
  },
];

/** Every command that has a file of its own, those under `admin` among them. */
export const COMMANDS: readonly CommandEntry[] = [
  ...COMMAND_GROUPS.flatMap(({ commands }) => commands),
  ...ADMIN_COMMANDS,
];
