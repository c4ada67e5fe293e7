import { JSON_TYPE, resolveSchema, type Schema } from '../src/edge/openapi/document';

export { resolveSchema as resolve, type Schema };

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema: Schema }> };

export type Operation = {
  method: string;
  path: string;
  operationId: string;
  summary?: string;
  parameters: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { description: string }>;
};

export type OpenApiDocument = {
  openapi: string;
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: { schemas: Record<string, Schema> };
};

const PAGE_TYPE = 'text/html';
const STREAM_TYPE = 'text/event-stream';

let fetched: Promise<string> | undefined;

/** The document of the first gateway that is asked: it is the same everywhere, and takes seconds to make. */
export async function fetchDocument(url: string): Promise<OpenApiDocument> {
  fetched ??= fetch(`${url}/openapi.json`).then((response) => response.text());
  return JSON.parse(await fetched) as OpenApiDocument;
}

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

export const bodySchema = ({ requestBody }: Operation): Schema | undefined => requestBody?.content?.[JSON_TYPE]?.schema;

export function answerSchema({ responses }: Operation, status: number): Schema | undefined {
  const content = responses[status]?.content;
  return (content?.[JSON_TYPE] ?? content?.[PAGE_TYPE] ?? content?.[STREAM_TYPE])?.schema;
}

const TEXTS = ['sample', 'sample-text', '#1a2b3c'];

/** A value that matches the schema, with every optional member. The depth is limited because schemas recurse. */
export function sampleOf(document: OpenApiDocument, given: Schema, depth = 0): unknown {
  const schema = resolveSchema(document, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return sampleOf(document, schema.oneOf[0]!, depth);
  switch (schema.type) {
    case 'string':
      return sampleText(schema);
    case 'number':
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return depth > 12 ? [] : [sampleOf(document, schema.items ?? {}, depth + 1)];
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(document, member, depth + 1)]),
      );
  }
}

function sampleText({ format, pattern }: Schema): string {
  switch (format) {
    case 'uuid':
      return '01890a5d-ac96-774b-bcce-b302099a8057';
    case 'email':
      return 'sample@example.com';
    case 'date-time':
      return '2030-01-01T00:00:00.000Z';
    default:
      return TEXTS.find((text) => !pattern || new RegExp(pattern).test(text))!;
  }
}
