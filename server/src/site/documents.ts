import { ACCOUNT_BASE_PATH, BASE_PATH, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { documentFile, type ServedFile, textFile } from '../http/endpoints/files.ts';
import { llmsText, type OtherDocument } from '../http/endpoints/llms.ts';
import { lazy } from '../platform/lazy.ts';
import { discoveryFiles, type ServedApi } from './discovery.ts';

const ACCOUNT = { name: 'account', what: 'What people see and change of their own submissions.' } as const;

/** A part of the API whose document is made when it is first read. */
const createLazyApi = (name: string, basePath: string, make: () => ServedApi['document']): ServedApi => {
  const document = lazy(make);
  return {
    name,
    path: name === 'api' ? '/openapi.json' : `/openapi-${name}.json`,
    basePath,
    get document() {
      return document();
    },
  };
};

/** The documents that describe the service. They are built at their first read. */
export interface Documents {
  readonly apis: readonly ServedApi[];
  readonly files: readonly ServedFile[];
}

/** The enterprise part, with the function that builds its document. */
export interface EnterprisePart {
  readonly basePath: string;
  readonly make: () => OtherDocument;
}

/**
 * Returns the OpenAPI documents of the parts that are served, the documents by which programs find them, and the texts
 * for language models.
 * @param parts whether the public part is served, and the enterprise part if it is served
 */
export const createDocuments = (
  server: { readonly serverUrl: string; readonly version: string },
  parts: { readonly isPublic: boolean; readonly enterprise: EnterprisePart | undefined },
): Documents => {
  const api = createLazyApi('api', BASE_PATH, () => openApiDocument(server));
  const record = createLazyApi('record', TRANSPARENCY_BASE_PATH, () => recordOpenApiDocument(server));
  const account = createLazyApi('account', ACCOUNT_BASE_PATH, () => accountOpenApiDocument(server));
  const enterprise = parts.enterprise && { ...parts.enterprise, make: lazy(parts.enterprise.make) };
  const apis = [
    ...(parts.isPublic ? [api, record, account] : []),
    ...(enterprise ? [createLazyApi('enterprise', enterprise.basePath, () => enterprise.make().document)] : []),
  ];
  const renderLlmsText = (): string =>
    llmsText(
      {
        api: api.document,
        record: record.document,
        others: [{ ...ACCOUNT, document: account.document }, ...(enterprise ? [enterprise.make()] : [])],
      },
      server.serverUrl,
    );
  return {
    apis,
    files: [
      ...apis.map((part) => documentFile(part.path, () => part.document)),
      ...discoveryFiles(server.serverUrl, apis),
      ...(parts.isPublic ? [textFile('/llms.txt', renderLlmsText)] : []),
    ],
  };
};
