import { expect, test } from 'vitest';
import type { Module } from './ledger/define-module.ts';
import { MODULES } from './modules.ts';

/** The names that one module must not share with another, by what they name. */
const NAMED: Readonly<Record<string, (module: Module) => readonly string[]>> = {
  module: ({ name }) => [name],
  collection: ({ collections = {} }) => Object.keys(collections),
  'audit action': ({ audit = {} }) => Object.keys(audit),
  'kind of subject': ({ subjects = [] }) => subjects,
  job: ({ jobs = [] }) => jobs.map(({ name }) => name),
  check: ({ checks = {} }) => Object.keys(checks),
  'kind of import': ({ importKinds = {} }) => Object.keys(importKinds),
};

test.each(Object.entries(NAMED))('no two modules declare the same %s', (_, listNames) => {
  const names = MODULES.flatMap(listNames);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
