import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretBox } from '@clarion/platform';
import {
  createEmptyDatabase,
  type FakeCollector,
  startFakeCollector,
  type TestDatabase,
  uniquePrefix,
} from '@clarion/testing';

/** The program behind `npm start`; `npm test` has built it. */
const MAIN = join(__dirname, '../dist/main.js');

/** Records the modules that a process has loaded when it ends. */
const WITNESS = `
  if (require('node:worker_threads').isMainThread) {
    const { LOADED } = process.env;
    process.on('exit', () => require('node:fs').writeFileSync(LOADED, Object.keys(require.cache).join('\\n')));
  }
`;

describe('tracing in a real process', () => {
  let folder: string;
  let test: TestDatabase;
  let collector: FakeCollector;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clarion-tracing-'));
    writeFileSync(join(folder, 'witness.cjs'), WITNESS);
    test = await createEmptyDatabase();
    collector = await startFakeCollector();
  });
  afterEach(async () => {
    await collector.close();
    await test.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Starts every role in one process, triggers an event and stops; returns the OpenTelemetry packages that were loaded.
   */
  const packagesOf = async (environment: Record<string, string>): Promise<string[]> => {
    const loaded = join(folder, 'loaded');
    const child = spawn(process.execPath, ['--require', join(folder, 'witness.cjs'), MAIN], {
      env: {
        PATH: process.env['PATH'],
        LOADED: loaded,
        PORT: '0',
        LOG_LEVEL: 'warn',
        CLARION_DATA_DIR: folder,
        DATABASE_URL: test.url,
        CLARION_ENCRYPTION_KEY: SecretBox.generateKey(),
        CLARION_QUEUE: 'postgres',
        CLARION_QUEUE_PREFIX: uniquePrefix(),
        ...environment,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const ready = new Promise<void>((resolve) => {
      child.stdout.on('data', () => /Ctrl-C/.test(output) && resolve());
    });
    const early = ended.then((code) => Promise.reject(new Error(`it ended with ${code}:\n${output}`)));
    early.catch(() => undefined);
    await Promise.race([ready, early]);
    const word = (label: string): string => new RegExp(`${label}\\s+(\\S+)`).exec(output)![1]!;
    const response = await fetch(`${word('Base URL')}/v1/events/trigger`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${word('API key')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'nothing', to: 'nobody' }),
    });
    expect(response.status).toBe(422);
    child.kill('SIGTERM');
    expect({ code: await ended, output }).toMatchObject({ code: 0 });
    const files = readFileSync(loaded, 'utf8').split('\n');
    expect(files.length).toBeGreaterThan(100);
    return [...new Set(files.flatMap((file) => /@opentelemetry\/([^/]+)/.exec(file)?.[1] ?? []))].sort();
  };

  it('does not load the OpenTelemetry SDK without a collector', async () => {
    // The metrics library imports the API package, which does nothing without the SDK.
    expect((await packagesOf({})).filter((name) => name !== 'api')).toEqual([]);
    expect(collector.calls).toBe(0);
  });

  it('flushes the remaining spans to the collector when it ends', async () => {
    const packages = await packagesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
    expect(packages).toContain('exporter-trace-otlp-http');
    expect(collector.spans).toEqual([
      expect.objectContaining({
        service: 'clarion-gateway',
        name: 'accept',
        attributes: expect.objectContaining({ 'http.response.status_code': 422 }),
      }),
    ]);
  });
});
