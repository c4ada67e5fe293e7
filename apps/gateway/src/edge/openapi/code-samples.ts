import type { CodeSample, Route } from './document';
import { pathValue } from './examples';
import { sdkSample } from './sdk-sample';

/** The usual one of TypeScript, so that a sample can be pasted into a file. */
const INDENT = '  ';

/** One request in curl, TypeScript, Python and the SDK, made from the operation and its example body. */
export function codeSamples({ method, path, operation }: Route, body: unknown): CodeSample[] {
  const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const values = Object.fromEntries(names.map((parameter) => [parameter.name, pathValue(parameter, path)]));
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
  const request: Sampled = {
    method,
    target,
    body,
    proof: proofOf(operation),
    hasJson: Object.entries(operation.responses).some(
      ([status, { content }]) => status.startsWith('2') && content?.['application/json'],
    ),
  };
  const { operationId } = operation;
  const sdk = sdkSample({ operationId, body, path: values, write: toTypeScript });
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
    ...(sdk === undefined ? [] : [{ lang: 'TypeScript', label: 'SDK', source: sdk }]),
  ];
}

/** What the Authorization header holds, and the variable that it comes from. */
type Proof = { scheme: 'ApiKey' | 'Bearer'; variable: 'KEY' | 'TOKEN' };

type Sampled = { method: string; target: string; body: unknown; proof: Proof | undefined; hasJson: boolean };

function proofOf({ security }: Route['operation']): Proof | undefined {
  if (security === undefined) return { scheme: 'ApiKey', variable: 'KEY' };
  return security.some((each) => 'InboxToken' in each) ? { scheme: 'Bearer', variable: 'TOKEN' } : undefined;
}

function curl({ method, target, body, proof }: Sampled): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$URL${target}"`,
    ...(proof ? [`-H "Authorization: ${proof.scheme} $${proof.variable}"`] : []),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`]),
  ];
  return lines.join(` \\\n${INDENT}`);
}

function typeScript({ method, target, body, proof, hasJson }: Sampled): string {
  const headers = [
    ...(proof ? [`Authorization: \`${proof.scheme} \${process.env.${proof.variable}}\``] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(toTypeScript(body))})`]),
  ];
  return [
    `const response = await fetch(\`\${process.env.URL}${target}\`, {`,
    ...options.map((option) => `${INDENT}${option},`),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(${hasJson ? 'await response.json()' : 'response.status'});`,
  ].join('\n');
}

function python({ method, target, body, proof, hasJson }: Sampled): string {
  const headers = [
    ...(proof ? [`"Authorization": "${proof.scheme} " + os.environ["${proof.variable}"]`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const values = [
    `os.environ["URL"] + ${JSON.stringify(target)}`,
    `method="${method}"`,
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${indented(toPython(body), '    ')}).encode()`]),
  ];
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    ...values.map((value) => `    ${value},`),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    print(${hasJson ? 'json.load(response)' : 'response.status'})`,
  ].join('\n');
}

const indented = (text: string, indent = INDENT): string => text.replaceAll('\n', `\n${indent}`);

/** JSON with the names of members bare where JavaScript allows it. */
const toTypeScript = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');

function toPython(value: unknown, depth = 0): string {
  const inner = '    '.repeat(depth + 1);
  const outer = '    '.repeat(depth);
  const lines = (open: string, items: string[], close: string): string =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${outer}${close}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) {
    return lines(
      '[',
      value.map((item) => toPython(item, depth + 1)),
      ']',
    );
  }
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${toPython(item, depth + 1)}`);
  return lines('{', items, '}');
}
