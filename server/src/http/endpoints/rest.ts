/**
 * The server's only imports of ts-rest, so that replacing it changes this file alone. See
 * docs/decisions/0026-ts-rest-behind-one-module.md.
 */
export { type AppRoute, type AppRouter, isAppRoute, validateResponse } from '@ts-rest/core';
export { createExpressEndpoints, initServer, RequestValidationError } from '@ts-rest/express';
