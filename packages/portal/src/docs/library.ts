import type { OpenApiDocument } from '@broker-transparency/contract/openapi';
import type { Heading } from './markdown.ts';

/** A text of the documentation, without its HTML. */
export interface GuideEntry {
  /** Its name in addresses. */
  readonly name: string;
  readonly title: string;
  /** The whole sentences of its first paragraph. */
  readonly lead: string;
  readonly headings: readonly Heading[];
}

/** A part of the API of this service, with the document that describes it. */
export interface ApiPart {
  /** Its name in addresses: `api`, `record`, `account`, `enterprise`. */
  readonly name: string;
  /** Address of the document. */
  readonly path: string;
  readonly document: OpenApiDocument;
}

/** Contents of the documentation. Each one is read or made at its first use. */
export interface Library {
  readonly guides: () => readonly GuideEntry[];
  /** The HTML of a guide, below its title. */
  readonly guide: (name: string) => string | undefined;
  readonly apis: () => readonly ApiPart[];
}
