import { escapeHtml } from '@clarion/content';
import { type ApiDocument, resolveSchema, type Schema, schemaName } from '../document';
import { renderMarkdown } from './markdown';

type Named = { name: string; isRequired: boolean; schema: Schema; description?: string };

export function memberRows(document: ApiDocument, given: Schema): string {
  const { properties = {}, required = [], oneOf } = resolveSchema(document, given);
  if (oneOf) return `<p class="type">${typeOf({ oneOf })}</p>`;
  return fieldRows(
    Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) })),
  );
}

export function fieldRows(fields: Named[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, isRequired, schema, description = schema.description }) => {
    const marks = [
      `<code class="name">${escapeHtml(name)}</code>`,
      `<span class="type">${typeOf(schema)}</span>`,
      ...(isRequired ? ['<span class="required">required</span>'] : []),
      ...(schema.deprecated ? ['<span class="deprecated">deprecated</span>'] : []),
    ];
    const limits = limitsOf(schema);
    return `<li><div class="field">${marks.join(' ')}</div>${description ? renderMarkdown(description) : ''}${
      limits === '' ? '' : `<p class="limits">${limits}</p>`
    }</li>`;
  });
  return `<ul class="fields">${rows.join('')}</ul>`;
}

/** The type in words; a schema with a name is a link to its section. */
export function typeOf(schema: Schema): string {
  const nullable = schema.nullable ? ' or null' : '';
  if (schema.$ref) return schemaLink(schema.$ref) + nullable;
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ') + nullable;
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ') + nullable;
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}${nullable}`;
  const { additionalProperties: values } = schema;
  if (typeof values === 'object' && Object.keys(values).length > 0) return `map of ${typeOf(values)}${nullable}`;
  const format = schema.format ? ` (${escapeHtml(schema.format)})` : '';
  return escapeHtml(schema.type ?? 'any') + format + nullable;
}

const schemaLink = ($ref: string): string => {
  const name = escapeHtml(schemaName($ref));
  return `<a href="#schema-${name}">${name}</a>`;
};

function limitsOf(schema: Schema): string {
  const values = schema.enum ?? schema.items?.enum;
  const shown = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`;
  return [
    ...(values ? [`one of ${values.map(shown).join(', ')}`] : []),
    ...(schema.default === undefined ? [] : [`default ${shown(schema.default)}`]),
    ...between(schema.minimum, schema.maximum, ''),
    ...between(schema.minLength, schema.maxLength, ' characters'),
    ...between(schema.minItems, schema.maxItems, ' elements'),
  ].join('; ');
}

function between(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (most !== undefined) return [`at most ${most}${unit}`];
  return least === undefined ? [] : [`at least ${least}${unit}`];
}
