import { type ApiDocument, JSON_TYPE, type Operation, type Route, routesOf, type Schema } from '../document';
import { exampleOf } from '../examples';
import { codeBlock, escapeHtml } from './html';
import { headingsOf, renderMarkdown, slugOf } from './markdown';
import { fieldRows, memberRows, typeOf } from './schema-rows';

/**
 * Renders the reference as one page of HTML. It is complete without JavaScript; the script adds the search, the choice
 * of theme and language, and the copy buttons. Nothing in it is inline script or style, so the policy allows neither.
 */
export function renderPage(document: ApiDocument): string {
  const { title, description = '' } = document.info;
  const routes = routesOf(document);
  const groups = document.tags.map((tag) => ({
    ...tag,
    routes: routes.filter(({ operation }) => operation.tags?.[0] === tag.name),
  }));
  return `<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} API reference</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg"><link rel="stylesheet" href="/docs/reader.css">
<script src="/docs/reader.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" id="menu" aria-controls="navigation" aria-expanded="false">Menu</button>
<a class="brand" href="/docs">${escapeHtml(title)} <span>API reference</span></a>
<a class="document" href="/openapi.json">OpenAPI document</a>
<label class="theme">Theme <select id="theme"><option value="system">System</option><option value="light">Light</option>
<option value="dark">Dark</option></select></label>
</header>
<nav id="navigation" aria-label="Reference">
<label class="search">Search
<input type="search" id="search" placeholder="Path, name or field" autocomplete="off"></label>
<p id="no-match" role="status" hidden>No operation matches.</p>
<ul>${headingsOf(description).map(introductionLink).join('')}</ul>
${groups.map(navigationGroup).join('\n')}
<ul><li><a href="#schemas">Schemas</a></li></ul>
</nav>
<main id="content" tabindex="-1">
<section class="prose"><h1>${escapeHtml(title)} API</h1>${renderMarkdown(description)}</section>
${groups.map((group) => operationGroup(document, group)).join('\n')}
<section id="schemas" class="prose"><h2>Schemas</h2><p>The objects of requests and responses.</p>
${Object.entries(document.components.schemas)
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([name, schema]) => schemaSection(document, name, schema))
  .join('\n')}</section>
</main>
</body>
</html>`;
}

type Group = { name: string; description: string; routes: Route[] };

const introductionLink = (heading: string): string =>
  `<li><a href="#${slugOf(heading)}">${escapeHtml(heading)}</a></li>`;

const groupId = (name: string): string => `tag-${slugOf(name)}`;

const badge = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`;

const navigationGroup = ({ name, routes }: Group): string =>
  `<section><h2><a href="#${groupId(name)}">${escapeHtml(name)}</a></h2><ul>${routes
    .map(
      (route) =>
        `<li data-search="${escapeHtml(searchText(route))}"><a href="#${route.operation.operationId}">` +
        `${badge(route.method)}<span>${escapeHtml(titleOf(route.operation))}</span></a></li>`,
    )
    .join('')}</ul></section>`;

/** The summary without what stands behind a semicolon, which is a remark. */
const titleOf = ({ summary }: Operation): string => summary.split(/[;:] /, 1)[0]!;

const searchText = ({ method, path, operation }: Route): string =>
  [
    method,
    path,
    operation.operationId,
    operation.summary,
    operation.description ?? '',
    ...(operation.parameters ?? []).filter((parameter) => parameter.in !== 'header').map(({ name }) => name),
    ...Object.keys(bodyExample(operation) ?? {}),
  ]
    .join(' ')
    .toLowerCase();

const bodyExample = ({ requestBody }: Operation): object | undefined =>
  requestBody?.content[JSON_TYPE]?.example as object | undefined;

const operationGroup = (document: ApiDocument, { name, description, routes }: Group): string =>
  `<section class="group"><h2 id="${groupId(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>
${routes.map((route) => operationArticle(document, route)).join('\n')}</section>`;

function operationArticle(document: ApiDocument, { method, path, operation }: Route): string {
  const { operationId, description = '', deprecated } = operation;
  const samples = operation['x-codeSamples'] ?? [];
  return `<article id="${operationId}" aria-labelledby="${operationId}-title">
<div class="text">
<h3 id="${operationId}-title"><a href="#${operationId}">${escapeHtml(operation.summary)}</a></h3>
<p class="route">${badge(method)}<code>${escapeHtml(path)}</code>${
    deprecated ? ' <span class="deprecated">deprecated</span>' : ''
  }</p>
${renderMarkdown(description)}
${parameterRows(operation, 'path')}${parameterRows(operation, 'query')}${requestRows(document, operation)}
${responseRows(operation)}
</div>
<div class="samples">
<div class="languages" role="group" aria-label="Language of the sample">${samples
    .map(({ label }) => `<button type="button" data-language="${label.toLowerCase()}">${label}</button>`)
    .join('')}</div>
${samples
  .map(({ label, source }) => `<div class="sample" data-language="${label.toLowerCase()}">${codeBlock(source)}</div>`)
  .join('')}
${responseExample(document, operation)}
</div>
</article>`;
}

function parameterRows({ parameters = [] }: Operation, place: 'path' | 'query'): string {
  // The headers are the same for all operations; the introduction describes them.
  const fields = parameters.filter((parameter) => parameter.in === place);
  if (fields.length === 0) return '';
  return `<h4>${place === 'path' ? 'Path' : 'Query'} parameters</h4>${fieldRows(
    fields.map(({ name, required = false, schema, description }) => ({
      name,
      schema,
      isRequired: required,
      ...(description !== undefined && { description }),
    })),
  )}`;
}

function requestRows(document: ApiDocument, { requestBody }: Operation): string {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  return schema ? `<h4>Body <span class="type">${typeOf(schema)}</span></h4>${memberRows(document, schema)}` : '';
}

function responseRows({ responses }: Operation): string {
  const statuses = Object.keys(responses);
  const successes = statuses
    .filter((status) => status.startsWith('2'))
    .map((status) => {
      const { description, content = {} } = responses[status]!;
      const types = Object.entries(content).map(([type, { schema }]) =>
        type === JSON_TYPE ? typeOf(schema) : escapeHtml(type),
      );
      return `<p class="response"><code>${status}</code> ${escapeHtml(description)} <span class="type">${types.join(
        ' or ',
      )}</span></p>`;
    });
  const refusals = statuses.filter((status) => !status.startsWith('2')).join(', ');
  return `<h4>Responses</h4>${successes.join('')}<p class="limits">Errors: ${refusals}; see
<a href="#errors">errors</a>.</p>`;
}

function responseExample(document: ApiDocument, { responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const schema = success?.[1].content?.[JSON_TYPE]?.schema;
  if (!success || !schema) return '';
  const example = JSON.stringify(exampleOf(document, schema, 'all'), null, 2);
  return `<details><summary>Response <code>${success[0]}</code></summary>${codeBlock(example)}</details>`;
}

const schemaSection = (document: ApiDocument, name: string, schema: Schema): string =>
  `<section class="schema" id="schema-${escapeHtml(name)}"><h3><a href="#schema-${escapeHtml(name)}">${escapeHtml(
    name,
  )}</a></h3>${schema.description ? renderMarkdown(schema.description) : ''}${memberRows(document, schema)}</section>`;
