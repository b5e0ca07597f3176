/** The subset of JSON Schema that the OpenAPI document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly headers?: object; readonly content?: Content }>
  >;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Direction = 'request' | 'answer';

/** Finds what a caller of `before` would notice in `now`. Additions that callers may ignore are no break. */
class Comparison {
  readonly breaks: string[] = [];
  readonly #before: Document;
  readonly #now: Document;

  constructor(before: Document, now: Document) {
    this.#before = before;
    this.#now = now;
  }

  documents(): void {
    for (const [path, operations] of Object.entries(this.#before.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const name = `${method.toUpperCase()} ${path}`;
        const now = this.#now.paths[path]?.[method];
        if (now === undefined) this.breaks.push(`${name} is gone`);
        else this.#operation(name, operation, now);
      }
  }

  #operation(name: string, before: Operation, now: Operation): void {
    this.#parameters(name, before.parameters ?? [], now.parameters ?? []);
    this.#body(`${name}: the body`, before.requestBody, now.requestBody);
    for (const [status, response] of Object.entries(before.responses)) {
      if (!status.startsWith('2')) continue; // a missing error is no loss
      const at = `${name}: answer ${status}`;
      const other = now.responses[status];
      if (other === undefined) {
        this.breaks.push(`${at} is gone`);
        continue;
      }
      for (const header of Object.keys(response.headers ?? {}))
        if (!(header in (other.headers ?? {}))) this.breaks.push(`${at} has no header ${header} any more`);
      this.#content(at, response.content ?? {}, other.content ?? {}, 'answer');
    }
  }

  #parameters(name: string, before: readonly Parameter[], now: readonly Parameter[]): void {
    const same = (a: Parameter) => (b: Parameter) => a.name === b.name && a.in === b.in;
    for (const parameter of before) {
      const at = `${name}: ${parameter.in} parameter ${parameter.name}`;
      const other = now.find(same(parameter));
      if (other === undefined) this.breaks.push(`${at} is gone`);
      else if (parameter.schema && other.schema) this.#schema(at, parameter.schema, other.schema, 'request');
    }
    for (const parameter of now)
      if (parameter.required && !before.find(same(parameter))?.required)
        this.breaks.push(`${name}: ${parameter.in} parameter ${parameter.name} is now required`);
  }

  #body(at: string, before: Operation['requestBody'], now: Operation['requestBody']): void {
    if (now?.required && !before?.required) this.breaks.push(`${at} is now required`);
    if (before === undefined) return;
    if (now === undefined) this.breaks.push(`${at} is gone`);
    else this.#content(at, before.content, now.content, 'request');
  }

  #content(at: string, before: Content, now: Content, direction: Direction): void {
    for (const [type, { schema }] of Object.entries(before)) {
      const other = now[type]?.schema;
      if (now[type] === undefined) this.breaks.push(`${at} is no longer ${type}`);
      else if (schema && other) this.#schema(at, schema, other, direction);
    }
  }

  #schema(at: string, before: Schema, now: Schema, direction: Direction): void {
    const olds = options(before, this.#before);
    const news = options(now, this.#now);
    const [old, neu] = [olds[0], news[0]];
    if (old && neu && olds.length === 1 && news.length === 1) {
      this.#plain(at, old, neu, direction);
      return;
    }
    // A caller must understand every new answer, and may send every old request.
    const [all, some] = direction === 'answer' ? [news, olds] : [olds, news];
    const fits = (one: Schema) =>
      some.some((other) => {
        const trial = new Comparison(this.#before, this.#now);
        const [from, to] = direction === 'answer' ? [other, one] : [one, other];
        trial.#plain(at, from, to, direction);
        return trial.breaks.length === 0;
      });
    const kinds = (schemas: readonly Schema[]) => schemas.map((schema) => schema.type ?? 'anything').join(' or ');
    if (!all.every(fits)) this.breaks.push(`${at} was ${kinds(olds)} and is ${kinds(news)}, or changed inside`);
  }

  #plain(at: string, before: Schema, now: Schema, direction: Direction): void {
    const [wide, narrow] = direction === 'answer' ? [before, now] : [now, before];
    if (before.type !== now.type && !(wide.type === 'number' && narrow.type === 'integer')) {
      this.breaks.push(`${at} was ${before.type ?? 'anything'} and is ${now.type ?? 'anything'}`);
      return;
    }
    this.#values(at, before, now, direction);
    if (before.format !== now.format) this.breaks.push(`${at} changed its format`);
    if (direction === 'request') this.#bounds(at, before, now);
    if (before.items && now.items) this.#schema(`${at}[]`, before.items, now.items, direction);
    const [map, other] = [before.additionalProperties, now.additionalProperties];
    if (typeof map === 'object' && typeof other === 'object') this.#schema(`${at}{}`, map, other, direction);
    this.#fields(at, before, now, direction);
  }

  #values(at: string, before: Schema, now: Schema, direction: Direction): void {
    const closed = ({ enum: list, const: one }: Schema) => list ?? (one === undefined ? undefined : [one]);
    const known = (schema: Schema) => closed(schema) ?? (schema['x-extensible-enum'] as unknown[] | undefined);
    const news = known(now);
    if (known(before) === undefined && news !== undefined && direction === 'request')
      this.breaks.push(`${at} takes certain values only`);
    for (const value of known(before) ?? [])
      if (news !== undefined && !news.includes(value))
        this.breaks.push(`${at} has no value ${JSON.stringify(value)} any more`);
    if (closed(before) !== undefined && closed(now) === undefined && direction === 'answer')
      this.breaks.push(`${at} no longer has certain values only`);
  }

  #bounds(at: string, before: Schema, now: Schema): void {
    const bound = (schema: Schema, keyword: string, none: number) => (schema[keyword] as number | undefined) ?? none;
    for (const keyword of ['minimum', 'minLength', 'minItems'])
      if (bound(now, keyword, -Infinity) > bound(before, keyword, -Infinity))
        this.breaks.push(`${at} has a higher ${keyword}`);
    for (const keyword of ['maximum', 'maxLength', 'maxItems'])
      if (bound(now, keyword, Infinity) < bound(before, keyword, Infinity))
        this.breaks.push(`${at} has a lower ${keyword}`);
    for (const keyword of ['pattern', 'multipleOf'])
      if (now[keyword] !== undefined && now[keyword] !== before[keyword])
        this.breaks.push(`${at} has another ${keyword}`);
  }

  #fields(at: string, before: Schema, now: Schema, direction: Direction): void {
    for (const [name, field] of Object.entries(before.properties ?? {})) {
      const other = now.properties?.[name];
      if (other === undefined) {
        this.breaks.push(`${at}.${name} is gone`);
        continue;
      }
      if (direction === 'answer' && before.required?.includes(name) && !now.required?.includes(name))
        this.breaks.push(`${at}.${name} may be missing now`);
      this.#schema(`${at}.${name}`, field, other, direction);
    }
    if (direction === 'request')
      for (const name of now.required ?? [])
        if (!before.required?.includes(name)) this.breaks.push(`${at}.${name} is now required`);
  }
}

/** The alternatives of a schema, with references resolved. */
const options = (schema: Schema, document: Document): Schema[] => {
  if (schema.$ref !== undefined) {
    const { $ref, ...own } = schema;
    const named = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    if (named === undefined) throw new Error(`${$ref} is not in the document`);
    return options({ ...named, ...own }, document);
  }
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => options(option, document));
  if (typeof schema.type === 'object') return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
};

/** Breaking changes for callers between two OpenAPI documents, each as a sentence. */
export const openApiBreaks = (before: Document, now: Document): string[] => {
  const comparison = new Comparison(before, now);
  comparison.documents();
  return comparison.breaks;
};
