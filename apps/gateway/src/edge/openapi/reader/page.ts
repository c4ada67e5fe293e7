import { escapeHtml } from '@clarion/content';
import {
  type ApiDocument,
  JSON_TYPE,
  type Operation,
  type Route,
  routesOf,
  type Schema,
  schemaName,
} from '../document';
import { exampleOf } from '../examples';
import { codeBlock } from './html';
import { headingsOf, renderMarkdown, slugOf } from './markdown';
import { fieldRows, memberRows, typeOf } from './schema-rows';

/**
 * Renders a page of the reference: the introduction, or an operation with the schemas that it uses. Undefined if there
 * is no such operation. A page is complete without JavaScript; the script adds the search, the choice of theme and
 * language, the copy buttons and "Try it". Nothing in it is inline script or style, so the policy allows neither.
 */
export function renderPage(document: ApiDocument, address: string, operationId?: string): string | undefined {
  const { title, description = '' } = document.info;
  const routes = routesOf(document);
  const shown = routes.find(({ operation }) => operation.operationId === operationId);
  if (operationId !== undefined && !shown) return undefined;
  const groups = document.tags.map((tag) => ({
    ...tag,
    routes: routes.filter(({ operation }) => operation.tags?.[0] === tag.name),
  }));
  const introduction = renderMarkdown(atAddress(description, address));
  return `<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${
    shown ? `${escapeHtml(titleOf(shown.operation))} · ` : ''
  }${escapeHtml(title)} API reference</title>
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
${groups.map((group) => navigationGroup(group, operationId)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${
  shown
    ? operationArticle(document, shown, address)
    : `<section class="prose"><h1>${escapeHtml(title)} API</h1>${introduction}</section>`
}
</main>
</body>
</html>`;
}

/** The samples read the address from the environment. A reader of the page needs no variable for it. */
const atAddress = (source: string, address: string): string =>
  source
    .replaceAll('http://127.0.0.1:3000', address)
    .replaceAll('${process.env.URL}', address)
    .replaceAll('process.env.URL', `'${address}'`)
    .replaceAll('os.environ["URL"] + "', `"${address}`)
    .replaceAll('$URL', address);

type Group = { name: string; routes: Route[] };

const introductionLink = (heading: string): string =>
  `<li><a href="/docs#${slugOf(heading)}">${escapeHtml(heading)}</a></li>`;

const badge = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`;

const navigationGroup = ({ name, routes }: Group, shown: string | undefined): string =>
  `<section><h2>${escapeHtml(name)}</h2><ul>${routes
    .map(
      (route) =>
        `<li data-search="${escapeHtml(searchText(route))}"><a href="/docs/${route.operation.operationId}"${
          route.operation.operationId === shown ? ' aria-current="page"' : ''
        }>` + `${badge(route.method)}<span>${escapeHtml(titleOf(route.operation))}</span></a></li>`,
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

function operationArticle(document: ApiDocument, { method, path, operation }: Route, address: string): string {
  const { description = '', deprecated } = operation;
  const samples = operation['x-codeSamples'] ?? [];
  return `<article>
<div class="text">
<h1>${escapeHtml(operation.summary)}</h1>
<p class="route">${badge(method)}<code>${escapeHtml(path)}</code>${
    deprecated ? ' <span class="deprecated">deprecated</span>' : ''
  }</p>
${renderMarkdown(description)}
${parameterRows(operation, 'path')}${parameterRows(operation, 'query')}${requestRows(document, operation)}
${responseRows(operation)}
${schemaSections(document, operation)}
</div>
<div class="samples">
<div class="languages" role="group" aria-label="Language of the sample">${samples
    .map(({ label }) => `<button type="button" data-language="${label.toLowerCase()}">${label}</button>`)
    .join('')}</div>
${samples
  .map(
    ({ label, source }) =>
      `<div class="sample" data-language="${label.toLowerCase()}">${codeBlock(atAddress(source, address))}</div>`,
  )
  .join('')}
${tryForm({ method, path, operation })}
${responseExample(document, operation)}
</div>
</article>`;
}

function parameterRows({ parameters = [] }: Operation, place: 'path' | 'query'): string {
  // The headers are the same for all operations; the introduction describes them.
  const fields = parameters.filter((parameter) => parameter.in === place);
  if (fields.length === 0) return '';
  return `<h2>${place === 'path' ? 'Path' : 'Query'} parameters</h2>${fieldRows(
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
  return schema ? `<h2>Body <span class="type">${typeOf(schema)}</span></h2>${memberRows(document, schema)}` : '';
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
  return `<h2>Responses</h2>${successes.join('')}<p class="limits">Errors: ${refusals}; see
<a href="/docs#errors">errors</a>.</p>`;
}

function responseExample(document: ApiDocument, { responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const schema = success?.[1].content?.[JSON_TYPE]?.schema;
  if (!success || !schema) return '';
  const example = JSON.stringify(exampleOf(document, schema, 'all'), null, 2);
  return `<details><summary>Response <code>${success[0]}</code></summary>${codeBlock(example)}</details>`;
}

/** The fields of a request that the script sends: with the key that is typed, or else with the session. */
function tryForm({ method, path, operation }: Route): string {
  const { parameters = [], requestBody, security } = operation;
  const scheme = security === undefined ? 'ApiKey' : security.some((each) => 'InboxToken' in each) ? 'Bearer' : '';
  const fields = parameters.filter((parameter) => parameter.in !== 'header');
  const body = requestBody?.content[JSON_TYPE];
  const withoutKey = scheme === 'ApiKey' ? 'Without a key it uses your session of the dashboard. ' : '';
  const hint = (schema: Parameters<typeof typeOf>[0]): string => escapeHtml(typeOf(schema).replace(/<[^<>]*>/g, ''));
  return `<form class="try" data-method="${method}" data-path="${escapeHtml(path)}" data-scheme="${scheme}">
<h2>Try it</h2>
${
  scheme === ''
    ? ''
    : `<label>${scheme === 'ApiKey' ? 'API key' : 'Token'}<input type="password" name="key" autocomplete="off"></label>
<p class="limits" data-session>${withoutKey}It is sent with the request and not stored.</p>`
}
${fields
  .map(
    ({ name, in: place, required, schema }) =>
      `<label>${escapeHtml(name)}${required ? ' <span class="required">required</span>' : ''}<input name="${escapeHtml(
        `${place}.${name}`,
      )}" data-in="${place}"${required ? ' required' : ''} placeholder="${hint(schema)}"></label>`,
  )
  .join('')}
${
  body
    ? `<label>Body<textarea name="body" rows="8" spellcheck="false">${escapeHtml(
        JSON.stringify(body.example ?? {}, null, 2),
      )}</textarea></label>`
    : ''
}
<button type="submit">Send</button><output role="status"></output></form>`;
}

/** The schemas that the operation uses, also through others. */
function schemaSections(document: ApiDocument, operation: Operation): string {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    for (const [, $ref] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = schemaName($ref!);
      if (names.has(name)) continue;
      names.add(name);
      collect(document.components.schemas[name] ?? {});
    }
  };
  collect(operation);
  return [...names].map((name) => schemaSection(document, name, document.components.schemas[name] ?? {})).join('\n');
}

const schemaSection = (document: ApiDocument, name: string, schema: Schema): string =>
  `<section class="schema" id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${
    schema.description ? renderMarkdown(schema.description) : ''
  }${memberRows(document, schema)}</section>`;
