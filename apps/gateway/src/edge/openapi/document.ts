export type Schema = {
  $ref?: string;
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  format?: string;
  pattern?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  enum?: unknown[];
  nullable?: boolean;
  deprecated?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
};

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };

export type Content = Record<string, { schema: Schema; example?: unknown }>;

export type CodeSample = { lang: string; label: string; source: string };

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  'x-codeSamples'?: CodeSample[];
};

export type Route = { method: string; path: string; operation: Operation };

export type ApiDocument = {
  info: { title: string; version: string; description?: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export const routesOf = ({ paths }: Pick<ApiDocument, 'paths'>): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

export const JSON_TYPE = 'application/json';

export const schemaName = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** Follows references and single-element `allOf`, which Nest writes around a reference with a description. */
export function resolveSchema(document: Pick<ApiDocument, 'components'>, schema: Schema): Schema {
  if (schema.$ref) return resolveSchema(document, document.components.schemas[schemaName(schema.$ref)] ?? {});
  if (schema.allOf?.length === 1) {
    const { allOf, type: _, ...rest } = schema;
    return { ...resolveSchema(document, allOf[0]!), ...rest };
  }
  return schema;
}
