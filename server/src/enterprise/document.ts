import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import type { OtherDocument } from '../http/endpoints/llms.ts';

/** What media, institutions and regulators get, as a document that the service describes itself by. */
export const enterpriseDocument = (server: Parameters<typeof enterpriseOpenApiDocument>[0]): OtherDocument => ({
  name: 'enterprise',
  what: 'What media, institutions and regulators get by an agreement.',
  document: enterpriseOpenApiDocument(server),
});
