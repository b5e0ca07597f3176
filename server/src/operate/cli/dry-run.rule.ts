import { findRights } from '../../features/operators/policy.rule.ts';

const STEPS = 'It works in steps, and each needs what the step before wrote.';

/** The reasons why some commands that write have no dry run. */
export const WITHOUT_DRY_RUN: Readonly<Record<string, string>> = {
  'admin account expire': STEPS,
  'account export': 'It shows personal data, and notes who read it.',
  backup: 'It writes files, and changes no data.',
  'admin enterprise snapshot': 'It writes files, and changes no data.',
  'admin job run': STEPS,
  'license check': 'Without --apply it writes nothing.',
  'admin log recover': STEPS,
  'admin log set-aside': STEPS,
  'admin mail test': 'It sends a mail, and changes no data.',
  'news pull': 'It fetches feeds, and remembers how far it read them.',
  'operator renew': 'It replaces the token in your file.',
  'admin rebuild': 'Use --check: it compares, and changes nothing.',
  'review work': 'A person decides while it runs.',
  'admin score refresh': STEPS,
};

/** Returns true if a command writes to the database, so that it has a dry run or says why not. */
export const isWriting = (command: string): boolean => {
  const rights = findRights(command);
  return rights !== undefined && !rights.reads && !rights.open;
};
