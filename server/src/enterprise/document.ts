import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import type { OtherDocument } from '../http/endpoints/llms.ts';

/** The OpenAPI document of the routes for media, institutions and regulators. */
export const enterpriseDocument = (server: Parameters<typeof enterpriseOpenApiDocument>[0]): OtherDocument => ({
  name: 'enterprise',
  what: 'What media, institutions and regulators get by an agreement.',
  document: enterpriseOpenApiDocument(server),
});
