import { InvalidArgumentError } from 'commander';

/** Who acts: a name that can be read again in the audit trail. */
export const parseActor = (given: string): string => {
  const name = given.trim();
  if (name === '' || name.length > 100 || /\p{C}/u.test(name))
    throw new InvalidArgumentError('Give a name of 1 to 100 characters that can be seen.');
  return name;
};
