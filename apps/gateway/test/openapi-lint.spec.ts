import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type TestGateway } from './harness';
import { fetchDocument, type OpenApiDocument, operationsOf } from './openapi-document';

// Two command line tools are started, on a machine that may be busy.
jest.setTimeout(180_000);

/** Neither tool may look for updates or report that it was used. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', SCARF_ANALYTICS: 'false' };

/**
 * The names of the contract: `/v1/events/{transactionId}/summary` is beside `/v1/events/trigger/{transactionId}`. The router
 * prefers the literal word, and no path fits both with the same method.
 */
const REDOCLY_RULES = { extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } };

describe('the OpenAPI document, to linters', () => {
  let gateway: TestGateway;
  let folder: string;
  let file: string;
  let document: OpenApiDocument;

  beforeAll(async () => {
    gateway = await startGateway();
    document = await fetchDocument(gateway.url);
    folder = await mkdtemp(join(tmpdir(), 'openapi-lint-'));
    file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await gateway.close();
  });

  it('has no fault and no warning for Redocly', async () => {
    const config = join(folder, 'redocly.yaml');
    await writeFile(config, JSON.stringify(REDOCLY_RULES));
    const output = await run('@redocly/cli/bin/cli.js', ['lint', file, '--config', config, '--format', 'json']);
    const { problems } = JSON.parse(output) as { problems: { ruleId: string; message: string }[] };
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('has no fault and no warning for Spectral', async () => {
    const rules = join(folder, 'spectral.json');
    await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
    const output = await run('@stoplight/spectral-cli/dist/index.js', ['lint', file, '-r', rules, '-f', 'json', '-q']);
    const problems = JSON.parse(output || '[]') as { code: string; path: string[] }[];
    expect(problems.map(({ code, path }) => `${code}: ${path.join('/')}`)).toEqual([]);
  });

  it('has examples of requests that the server accepts', async () => {
    const examples = operationsOf(document).flatMap((operation) => {
      const content = operation.requestBody?.content?.['application/json'] as { example?: object } | undefined;
      return content?.example ? [{ ...operation, example: content.example }] : [];
    });
    expect(examples.length).toBeGreaterThan(10);
    // A trigger needs the workflow of another example.
    const last = examples.filter(({ path }) => path.startsWith('/v1/events/'));
    for (const { method, path, example } of [...examples.filter((one) => !last.includes(one)), ...last]) {
      const { status, body } = await gateway.call(method, path, example);
      const results = [body].flat() as { status?: string }[];
      const isAccepted = !path.startsWith('/v1/events/') || results.every((result) => result.status === 'processed');
      expect([path, status >= 200 && status < 300, isAccepted]).toEqual([path, true, true]);
    }
  });
});

/** What the tool prints; it ends with another code than 0 when it has found something. */
function run(program: string, args: string[]): Promise<string> {
  const path = require.resolve(program);
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [path, ...args],
      { env: { ...process.env, ...OFFLINE }, maxBuffer: 32 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (stdout.trim() === '' && error) reject(new Error(`${program}: ${stderr}`));
        else resolve(stdout);
      },
    );
  });
}
