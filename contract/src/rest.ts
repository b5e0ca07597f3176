/**
 * All that the contract has of ts-rest: nothing else imports it, so that leaving changes this file alone. See
 * docs/decisions/0026-ts-rest-behind-one-module.md.
 */
export { type AppRoute, initContract } from '@ts-rest/core';
