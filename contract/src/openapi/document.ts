import type { ProblemCode } from '../problem.ts';

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  [keyword: string]: unknown;
}

/** A reference to a named component of the same document. */
export interface Reference {
  $ref: string;
}

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  /** How a list is written: its items joined by commas. */
  style?: 'form';
  explode?: false;
  example?: unknown;
}

/** A body, with its schema and examples. */
export interface MediaType {
  schema: JsonSchema;
  examples?: Record<string, Reference>;
}

/** The answer of an operation with one status. */
export interface Answer {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
  /** Codes of the problems that this answer can carry. */
  'x-problem-codes'?: readonly ProblemCode[];
}

/** The description of one method of a path. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Record<string, MediaType> };
  responses: Record<string, Answer | Reference>;
  /** The route's policy from the contract's metadata. */
  'x-policy': {
    readonly access: string | { readonly scope: string };
    readonly limit: string;
    readonly idempotency?: string;
  };
}

/** An OpenAPI 3.1 document, limited to the parts of the format that this API uses. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
    contact?: { email: string } | { url: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Answer>;
    headers: Record<string, { description: string; schema: JsonSchema; example?: unknown }>;
    examples: Record<string, { summary: string; value: unknown }>;
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>;
  };
}
