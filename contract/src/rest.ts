/**
 * The only module that imports ts-rest, so that replacing it changes only this file. See
 * docs/decisions/0026-ts-rest-behind-one-module.md.
 */
export { type AppRoute, initContract } from '@ts-rest/core';
