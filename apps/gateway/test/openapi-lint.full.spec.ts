import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type TestGateway } from './harness';
import { fetchDocument } from './openapi-document';

/** Switches off update checks and telemetry of both tools. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', SCARF_ANALYTICS: 'false' };

/**
 * `/v1/events/{transactionId}/summary` and `/v1/events/trigger/{transactionId}` are fixed paths of the interface. The
 * router prefers the literal segment, and no path matches both with the same method.
 */
const REDOCLY_RULES = { extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } };

describe('lint of the OpenAPI document', () => {
  let gateway: TestGateway;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    gateway = await startGateway();
    folder = await mkdtemp(join(tmpdir(), 'openapi-lint-'));
    file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(await fetchDocument(gateway.url)));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await gateway.close();
  });

  it('passes Redocly without errors and warnings', async () => {
    const config = join(folder, 'redocly.yaml');
    await writeFile(config, JSON.stringify(REDOCLY_RULES));
    const output = await run('@redocly/cli/bin/cli.js', ['lint', file, '--config', config, '--format', 'json']);
    const { problems } = JSON.parse(output) as { problems: { ruleId: string; message: string }[] };
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('passes Spectral without errors and warnings', async () => {
    const rules = join(folder, 'spectral.json');
    await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
    const output = await run('@stoplight/spectral-cli/dist/index.js', ['lint', file, '-r', rules, '-f', 'json', '-q']);
    const problems = JSON.parse(output || '[]') as { code: string; path: string[] }[];
    expect(problems.map(({ code, path }) => `${code}: ${path.join('/')}`)).toEqual([]);
  });
});

/** Returns what the tool prints. The exit code is not 0 when the tool has found problems. */
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
