import { InvalidArgumentError } from 'commander';

/** Parses the name of the actor. It must consist of visible characters, so that the audit trail can show it. */
export const parseActor = (given: string): string => {
  const name = given.trim();
  if (name === '' || name.length > 100 || /\p{C}/u.test(name))
    throw new InvalidArgumentError('Give a name of 1 to 100 characters that can be seen.');
  return name;
};
