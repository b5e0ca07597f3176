import { openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import type { ApiPart } from '@broker-transparency/portal';
import { documentFile, type ServedFile, textFile } from '../http/endpoints/files.ts';
import { llmsText, type OtherDocument } from '../http/endpoints/llms.ts';
import { lazy } from '../platform/lazy.ts';

/** A part of the API whose document is made when it is first read. */
const createLazyPart = (name: string, path: string, make: () => ApiPart['document']): ApiPart => {
  const document = lazy(make);
  return {
    name,
    path,
    get document() {
      return document();
    },
  };
};

/** The documents that describe the service. They are built at their first read. */
export interface Documents {
  readonly apis: readonly ApiPart[];
  readonly files: readonly ServedFile[];
}

/**
 * Returns the OpenAPI documents of the parts that are served, and the text for language models.
 * @param parts whether the public part is served, and the function that builds the document of the enterprise part, if
 *   it is served
 */
export const createDocuments = (
  server: { readonly serverUrl: string; readonly version: string },
  parts: { readonly isPublic: boolean; readonly makeOther: (() => OtherDocument) | undefined },
): Documents => {
  const api = createLazyPart('api', '/openapi.json', () => openApiDocument(server));
  const record = createLazyPart('record', '/openapi-record.json', () => recordOpenApiDocument(server));
  const other = parts.makeOther && lazy(parts.makeOther);
  const others = other ? [createLazyPart('enterprise', '/openapi-enterprise.json', () => other().document)] : [];
  const apis = [...(parts.isPublic ? [api, record] : []), ...others];
  const renderLlmsText = (): string =>
    llmsText(
      { api: api.document, record: record.document, others: other ? [other()] : [] },
      new URL(server.serverUrl).origin,
    );
  return {
    apis,
    files: [
      ...apis.map((part) => documentFile(part.path, () => part.document)),
      ...(parts.isPublic ? [textFile('/llms.txt', renderLlmsText)] : []),
    ],
  };
};
