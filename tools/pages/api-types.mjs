/**
 * `npm run api-types`: writes the types of the operations that the dashboard calls, from the OpenAPI document of the
 * built gateway and the calls in the sources of the pages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import { root } from '../setup.mjs';
import { builtApp, writePage } from './write-page.mjs';

const sources = join(root, 'apps/dashboard/src');
const FILE = 'apps/dashboard/src/api/schema.d.ts';
const NOTE = '/** What the pages use of the API, written by `npm run api-types`. */\n';

const { describeGateway } = await builtApp('gateway', 'describe-gateway');
const generated = astToString(await openapiTS(usedPartOf(await describeGateway(), readPages())));
const style = { ...JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')), objectWrap: 'collapse' };
const { code } = await format(FILE, NOTE + withoutFiller(generated), style);
writePage(FILE, () => code);

function readPages() {
  return readdirSync(sources, { recursive: true })
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .map((path) => readFileSync(join(sources, path), 'utf8'))
    .join('\n');
}

/**
 * The document with the called operations and the named schemas only, each without texts, errors and headers. So a
 * change of words, or of what no page uses, does not change the types.
 */
function usedPartOf({ paths, components, ...document }, pages) {
  const calls = [...pages.matchAll(/\bapi\.([A-Z]+)\(\s*'([^']+)'/g)].map(([, method, path]) => ({
    method: method.toLowerCase(),
    path,
  }));
  const used = {};
  for (const { method, path } of calls) {
    if (!paths[path]?.[method]) throw new Error(`a page calls ${method.toUpperCase()} ${path}, which does not exist`);
    const { parameters = [], requestBody, responses } = paths[path][method];
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    (used[path] ??= {})[method] = {
      parameters: parameters.filter(({ in: place }) => place !== 'header'),
      requestBody,
      responses: Object.fromEntries(successes.map(([status, { headers: _, ...response }]) => [status, response])),
    };
  }
  const named = [...pages.matchAll(/\bSchemas\['(\w+)'\]/g)].map(([, name]) => name);
  const schemas = withAllTheyName([...named, ...namesIn(used)], components.schemas);
  return withoutProse({ ...document, tags: undefined, paths: inOrder(used), components: { schemas } });
}

function namesIn(value) {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
}

function withAllTheyName(names, schemas) {
  const found = {};
  for (const waiting = [...names]; waiting.length > 0;) {
    const name = waiting.pop();
    if (found[name]) continue;
    found[name] = schemas[name];
    waiting.push(...namesIn(schemas[name]));
  }
  return inOrder(found);
}

function inOrder(fields) {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A property of a schema may be called `description` too. Computed examples would differ from day to day. */
function withoutProse(document) {
  const text = JSON.stringify(document, function (key, value) {
    const isText = ['description', 'summary', 'example', 'examples'].includes(key) && typeof value !== 'object';
    const isExampleOfBody = ['example', 'examples'].includes(key) && Object.hasOwn(this, 'schema');
    return isText || isExampleOfBody ? undefined : value;
  });
  return JSON.parse(text);
}

/** The generator also writes what there is not. `query?: never` stays, because it rejects one; so does `content`. */
function withoutFiller(types) {
  return types
    .replace(/^ {8}parameters: \{\n(?:.*\?: never;\n)+ {8}\};\n/gm, '')
    .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
    .replace(/^ *(?:(?!query|content)\w+\??: never;|\/\*\* @(?:enum|constant) .*\*\/)\n/gm, '')
    .replace(/^export (?:type|interface) (?:webhooks|\$defs|operations) .*\n/gm, '');
}
