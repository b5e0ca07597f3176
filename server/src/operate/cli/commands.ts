import type { Command } from 'commander';

/** Adds arguments, options and subcommands to a command. */
type CommandSetup = (command: Command, env: NodeJS.ProcessEnv) => void;

/** A top-level command of `broker-rating`. */
export interface CommandEntry {
  readonly name: string;
  readonly alias?: string;
  readonly description: string;
  /** Imports the modules of this command, so that other commands start without them. */
  readonly load: () => Promise<CommandSetup>;
}

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    description: 'serve the API until SIGTERM or SIGINT',
    load: async () => (await import('./serve.ts')).addServeOptions,
  },
  {
    name: 'status',
    description: 'what waits, fails or is old, on one screen; exits with 1 where something has to be done now',
    load: async () => (await import('./status.ts')).addStatusOptions,
  },
  {
    name: 'context',
    description: 'named settings of commands, such as which database they work on',
    load: async () => (await import('./context.ts')).addContextCommands,
  },
  {
    name: 'seed',
    description: 'state the reference data on regulators again; with --demo, 300 fictional brokers too',
    load: async () => (await import('./seed.ts')).addSeedOptions,
  },
  {
    name: 'import',
    description:
      'bring data in from NDJSON or CSV: every row is checked first, and a file with a fault is not imported',
    load: async () => (await import('./import.ts')).addImportCommands,
  },
  {
    name: 'fact',
    description: 'what sources say of brokers and regulators, and which of it is published',
    load: async () => (await import('./fact.ts')).addFactCommands,
  },
  {
    name: 'broker',
    description: 'brokers: list, show, state one fact, add, rename, merge, split, export, and their contacts',
    load: async () => (await import('./broker.ts')).addBrokerCommands,
  },
  {
    name: 'regulator',
    description: 'regulators: list, show, state one fact, add, export',
    load: async () => (await import('./regulator.ts')).addRegulatorCommands,
  },
  {
    name: 'log',
    description: 'the public log of the record: its key, and how far it reaches',
    load: async () => (await import('./log.ts')).addLogCommands,
  },
  {
    name: 'probe',
    description: 'measure a service from elsewhere, every minute as a caller would; it needs no database',
    load: async () => (await import('./probe.ts')).addProbeOptions,
  },
  {
    name: 'prober',
    description: 'who measures the service from outside: their keys, and since when they have a vote',
    load: async () => (await import('./prober.ts')).addProberCommands,
  },
  {
    name: 'token',
    description: 'bearer tokens for what is not public',
    load: async () => (await import('./token.ts')).addTokenCommands,
  },
  {
    name: 'enterprise',
    description: 'customers by agreement: their access, keys, and what they use',
    load: async () => (await import('./enterprise.ts')).addEnterpriseCommands,
  },
  {
    name: 'account',
    description: 'people: their identity verification, blocks, and what is held about them',
    load: async () => (await import('./account.ts')).addAccountCommands,
  },
  {
    name: 'review',
    description: 'moderation of reviews',
    load: async () => (await import('./review.ts')).addReviewCommands,
  },
  {
    name: 'report',
    description: 'reports about published reviews: notice and action',
    load: async () => (await import('./moderation.ts')).addReportCommands,
  },
  {
    name: 'appeal',
    description: 'appeals against decisions of moderators',
    load: async () => (await import('./moderation.ts')).addAppealCommands,
  },
  {
    name: 'moderation',
    description: 'policy and figures of moderation',
    load: async () => (await import('./moderation.ts')).addModerationCommands,
  },
  {
    name: 'complaint',
    description: 'complaints; they are private',
    load: async () => (await import('./complaint.ts')).addComplaintCommands,
  },
  {
    name: 'license',
    alias: 'licence',
    description: 'licences, and what the registers say of them',
    load: async () => (await import('./license.ts')).addLicenseCommands,
  },
  {
    name: 'register',
    description: 'published registers and lists: fetched, kept if they are whole, and compared with our licences',
    load: async () => (await import('./register.ts')).addRegisterCommands,
  },
  {
    name: 'warning',
    description: 'warnings of authorities: their lists, and which brokers they are about',
    load: async () => (await import('./warning.ts')).addWarningCommands,
  },
  {
    name: 'news',
    description: 'industry news; news pull and import news FILE bring it in',
    load: async () => (await import('./news.ts')).addNewsCommands,
  },
  {
    name: 'incident',
    description: 'what operators say on /status of outages; probers measure when they were',
    load: async () => (await import('./incident.ts')).addIncidentCommands,
  },
  {
    name: 'mail',
    description:
      'mails to people, brokers and the operator: what waits, was refused or came back; webhooks to your systems',
    load: async () => (await import('./mail.ts')).addMailCommands,
  },
  {
    name: 'score',
    description: "take a broker's score apart, and recompute it from what is published",
    load: async () => (await import('./score.ts')).addScoreCommands,
  },
  {
    name: 'rebuild',
    description: 'fold every broker document again from its facts and compare, byte for byte; what differs is repaired',
    load: async () => (await import('./rebuild.ts')).addRebuildOptions,
  },
  {
    name: 'job',
    description: 'what the service does by itself at a time',
    load: async () => (await import('./job.ts')).addJobCommands,
  },
  {
    name: 'migrate',
    description:
      'bring a database of an earlier release up to date, beside running servers; Ctrl-C stops it, and it ' +
      'goes on from there',
    load: async () => (await import('./migrate.ts')).addMigrateOptions,
  },
  {
    name: 'backup',
    description: 'write the whole database, as it is at one moment, to a new directory; it holds personal data',
    load: async () => (await import('./backup.ts')).addBackup,
  },
  {
    name: 'restore',
    description: 'bring a backup into an empty database, and erase again who was erased since; stop every server first',
    load: async () => (await import('./backup.ts')).addRestore,
  },
  {
    name: 'operator',
    description: 'who acts at this command line: their roles, and the tokens that prove them',
    load: async () => (await import('./operator.ts')).addOperatorCommands,
  },
  {
    name: 'audit',
    description: 'who did what, when and why',
    load: async () => (await import('./audit.ts')).addAuditCommands,
  },
];
