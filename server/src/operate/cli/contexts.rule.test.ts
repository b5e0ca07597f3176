import { describe, expect, test } from 'vitest';
import { findContradictions, findNameFault, parseContext } from './contexts.rule.ts';

const KNOWN = ['MONGODB_URL', 'DATA_DIR', 'LOG_KEY', 'BROKER_RATING_CONTEXT'];

describe('settings of a context', () => {
  test('settings are read line by line, with comments, quotes and empty values as in a file of systemd', () => {
    const text = "# live\nMONGODB_URL='mongodb://db/x'\nDATA_DIR=/var/lib/x\nLOG_KEY=\n";
    expect(parseContext(text, KNOWN)).toEqual({ MONGODB_URL: 'mongodb://db/x', DATA_DIR: '/var/lib/x' });
  });

  test.each([
    ['no database', 'LOG_KEY=/key', 'add a line with MONGODB_URL or DATA_DIR'],
    ['nothing', '', 'add a line with MONGODB_URL or DATA_DIR'],
    ['a misspelt name', 'MONGO_URL=mongodb://db/x', 'MONGO_URL: not a setting'],
    ['a token', 'MONGODB_URL=mongodb://db/x\nBROKER_RATING_TOKEN=t', 'BROKER_RATING_TOKEN: not a setting'],
    ['another context', 'DATA_DIR=/x\nBROKER_RATING_CONTEXT=prod', 'BROKER_RATING_CONTEXT: not a setting'],
    ['a folder that depends on where commands run', 'DATA_DIR=.data', 'absolute path'],
  ])('settings with %s are refused', (_, text, message) => {
    expect(() => parseContext(text, KNOWN)).toThrow(message);
  });
});

test.each([
  ['prod', true],
  ['prod-2.eu', true],
  ['', false],
  ['../prod', false],
  ['.prod', false],
  ['a/b', false],
  ['Prod', false],
  ['a'.repeat(41), false],
])('the name %j is accepted: %s', (name, isAccepted) => {
  expect(findNameFault(name) === undefined).toBe(isAccepted);
});

const URL = { MONGODB_URL: 'mongodb://db/x' };
const FOLDER = { DATA_DIR: '/data' };
test.each([
  [{}, URL, []],
  [{ MONGODB_URL: '' }, URL, []],
  [URL, URL, []],
  [{ MONGODB_URL: 'mongodb://db/y' }, URL, ['MONGODB_URL']],
  [URL, FOLDER, ['MONGODB_URL']],
  [FOLDER, FOLDER, []],
  [FOLDER, URL, []],
  [{ DATA_DIR: '/other' }, FOLDER, ['DATA_DIR']],
  [{ DATA_DIR: '/other' }, { ...URL, ...FOLDER }, ['DATA_DIR']],
  [{ LOG_KEY: '/a' }, { ...URL, LOG_KEY: '/b' }, []],
])('the environment %j contradicts the context %j by %j', (env, settings, names) => {
  expect(findContradictions(env, settings)).toEqual(names);
});
