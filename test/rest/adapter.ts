/**
 * The part of ts-rest that this project uses, as code of its own: proof that leaving is a matter of a day. A build that
 * has it in place of `@ts-rest/core` and `@ts-rest/express` gives the same answers. Names and meanings are those of
 * ts-rest.
 */
import type { Route, SchemaFault, StandardSchema } from '@broker-transparency/contract/routes';
import type { IRouter, NextFunction, Request, RequestHandler, Response } from 'express';

type Types<S extends StandardSchema> = NonNullable<S['~standard']['types']>;
type Output<S> = S extends StandardSchema ? Types<S>['output'] : never;
type Input<S> = S extends StandardSchema ? Types<S>['input'] : never;

/** A route of the contract, or one of the server with a policy of its own. */
export type AppRoute = Omit<Route, 'summary' | 'metadata'> & { readonly summary?: string; readonly metadata?: unknown };
export interface AppRouter {
  readonly [name: string]: AppRouter | AppRoute;
}

/** Fields that a request never has are no fields. */
type Present<T> = { [Name in keyof T as [Exclude<T[Name], undefined>] extends [never] ? never : Name]: T[Name] };

/** The part of a request that a handler gets. */
export type ServerInferRequest<Route extends AppRoute> = Present<{
  params: Output<Route['pathParams']>;
  query: Output<Route['query']>;
  body: Output<Route['body']>;
}>;
/** The answers that a handler may give. */
export type ServerInferResponses<Route extends AppRoute> = {
  [Status in keyof Route['responses']]: { status: Status; body: Input<Route['responses'][Status]> };
}[keyof Route['responses']];

interface Exchange<Route extends AppRoute> {
  readonly req: Request & { readonly tsRestRoute: Route };
  readonly res: Response;
}
type Handler<Route extends AppRoute> = (
  input: ServerInferRequest<Route> & Exchange<Route>,
) => Promise<ServerInferResponses<Route>>;

export type RouterImplementation<Routes extends AppRouter> = {
  [Name in keyof Routes]: Routes[Name] extends AppRoute
    ? Handler<Routes[Name]>
    : Routes[Name] extends AppRouter
      ? RouterImplementation<Routes[Name]>
      : never;
};

export const isAppRoute = (entry: AppRoute | AppRouter): entry is AppRoute => 'method' in entry && 'path' in entry;

export const initServer = () => ({
  router: <Routes extends AppRouter>(_contract: Routes, implementation: RouterImplementation<Routes>) => implementation,
  route: <Route extends AppRoute, Given extends Handler<Route>>(_route: Route, handler: Given): Given => handler,
});

class SchemaError extends Error {
  readonly issues: readonly SchemaFault[];
  constructor(issues: readonly SchemaFault[]) {
    super(JSON.stringify(issues));
    this.issues = issues;
  }
}

/** A request that does not fit its route, with the faults of each part. */
export class RequestValidationError extends Error {
  readonly pathParams: SchemaError | null;
  readonly headers: SchemaError | null;
  readonly query: SchemaError | null;
  readonly body: SchemaError | null;
  constructor(
    pathParams: SchemaError | null,
    headers: SchemaError | null,
    query: SchemaError | null,
    body: SchemaError | null,
  ) {
    super('request validation failed');
    [this.pathParams, this.headers, this.query, this.body] = [pathParams, headers, query, body];
  }
}

interface CheckResult {
  readonly value?: unknown;
  readonly error: SchemaError | null;
}

const check = (schema: StandardSchema | undefined, value: unknown): CheckResult => {
  if (!schema) return { value, error: null };
  const result = schema['~standard'].validate(value) as { value?: unknown; issues?: readonly SchemaFault[] };
  if (result instanceof Promise) throw new Error('a schema must be synchronous');
  return result.issues ? { error: new SchemaError(result.issues) } : { value: result.value, error: null };
};

/** Checks what a schema names, and lets the rest pass. */
const checkSome = (schema: StandardSchema | undefined, value: object): CheckResult => {
  const checked = check(schema, value);
  return checked.error ? checked : { value: { ...value, ...(checked.value as object) }, error: null };
};

/** Holds an answer to the contract. Returns it without fields that the contract does not name. */
export const validateResponse = (given: {
  appRoute: AppRoute;
  response: { status: number; body: unknown };
}): { status: number; body: unknown } => {
  const { appRoute, response } = given;
  const { value: body, error } = check(appRoute.responses[response.status], response.body);
  if (!error) return { status: response.status, body };
  throw new Error(`Response validation failed for ${appRoute.method} ${appRoute.path}: ${error.message}`, {
    cause: error,
  });
};

interface Options<Route extends AppRoute> {
  readonly logInitialization: false;
  readonly responseValidation: false;
  readonly globalMiddleware: readonly ((req: Exchange<Route>['req'], res: Response, next: NextFunction) => void)[];
  readonly requestValidationErrorHandler: (
    error: RequestValidationError,
    req: Exchange<Route>['req'],
    res: Response,
    next: NextFunction,
  ) => void;
}

const serveRoute =
  (route: AppRoute, handler: Handler<AppRoute>): RequestHandler =>
  async (req, res, next) => {
    try {
      const [params, headers] = [checkSome(route.pathParams, req.params), checkSome(route.headers, req.headers)];
      const [query, body] = [check(route.query, req.query), check(route.body, req.body)];
      if (params.error || headers.error || query.error || body.error)
        throw new RequestValidationError(params.error, headers.error, query.error, body.error);
      const parts = { params: params.value, body: body.value, query: query.value, headers: headers.value };
      const answer = await handler({ ...parts, req: req as Exchange<AppRoute>['req'], res });
      res.status(answer.status).json(answer.body);
    } catch (error) {
      next(error);
    }
  };

/** Serves a contract by Express. */
export const createExpressEndpoints = <Routes extends AppRouter>(
  contract: Routes,
  implementation: RouterImplementation<Routes>,
  app: IRouter,
  { globalMiddleware, requestValidationErrorHandler }: Options<AppRoute>,
): void => {
  const serve = (entry: AppRoute | AppRouter, part: unknown): void => {
    if (!isAppRoute(entry)) {
      for (const [name, inner] of Object.entries(part as object)) serve(entry[name] as AppRoute | AppRouter, inner);
      return;
    }
    const name: RequestHandler = (req, _res, next) => {
      Object.assign(req, { tsRestRoute: entry });
      next();
    };
    const method = entry.method.toLowerCase() as Lowercase<AppRoute['method']>;
    const handlers = [...(globalMiddleware as readonly RequestHandler[]), serveRoute(entry, part as Handler<AppRoute>)];
    app[method](entry.path, name, ...handlers);
  };
  serve(contract, implementation);
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    if (error instanceof RequestValidationError)
      requestValidationErrorHandler(error, req as Exchange<AppRoute>['req'], res, next);
    else next(error);
  });
};
