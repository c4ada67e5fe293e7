import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { EnvironmentId } from '@clarion/contracts';
import { EnvironmentAdmin } from '@clarion/gateway/command-line';
import { EnvironmentRepository } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { CLI } from './installation';

describe('clarion mirror', () => {
  let test: TestDatabase;
  let other: Server;
  let url: string;
  let environmentId: EnvironmentId;
  const secret = SecretBox.generateKey();

  beforeAll(async () => {
    test = await createTestDatabase();
    const admin = new EnvironmentAdmin(test.database, new EnvironmentRepository(test.database), new SecretBox(secret));
    const { environment } = (await admin.ensureDefaults())!;
    environmentId = (await admin.updateEnvironment(environment.organizationId, environment.id, { kind: 'sandbox' })).id;
    other = createServer(({ headers }, response) => {
      response.writeHead(headers.authorization === 'ApiKey right' ? 200 : 401, { 'content-type': 'application/json' });
      response.end('{"data":[],"hasMore":false}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    await test.drop();
  });

  async function clarion(line: string, input = ''): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [CLI, ...line.split(' ')], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: test.url,
        CLARION_ENCRYPTION_KEY: secret,
        CLARION_EGRESS_ALLOW: '127.0.0.1',
        LOG_LEVEL: 'warn',
      },
    });
    child.stdin.end(input);
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { code, stdout, stderr };
  }

  it('starts, shows and stops a mirror, and says what is wrong with the options', async () => {
    expect(await clarion('mirror status --json')).toMatchObject({ code: 0, stdout: '{\n  "state": "off"\n}\n' });
    const start = `mirror start --to ${url} --key-file -`;
    for (const [line, input, code, words] of [
      ['mirror start --key-file - --until 7d', 'right', 2, '--to is missing'],
      [`${start} --until soon`, 'right', 2, '--until must be a duration'],
      [`${start} --until 7d --compare-percent 0`, 'right', 2, '--compare-percent must be a whole number'],
      [`${start} --until 7d`, '', 1, '--key-file has no key'],
      [`${start} --until 7d`, 'wrong', 1, 'answered 401 to the key'],
      [`${start} --until 60d`, 'right', 1, 'at most 30 days'],
      ['mirror stop', '', 1, 'is not mirrored'],
    ] as const) {
      expect(await clarion(line, input)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    }
    const started = await clarion(`${start} --until 7d --json`, 'right\n');
    expect(started).toMatchObject({ code: 0 });
    expect(JSON.parse(started.stdout)).toMatchObject({ state: 'running', url, delivers: 'other', comparePercent: 100 });
    expect(started.stdout + started.stderr).not.toContain('right');
    await test.database.query(
      `INSERT INTO mirror_difference (id, environment_id, kind, transaction_id, subscriber_id, channel, here, other)
       VALUES (uuid_v7(), $1, 'outcome', 'order-1', 'ada', 'email', 'sent', 'skipped')`,
      [environmentId],
    );
    await test.database.query(`UPDATE mirror SET figures = '{"sent": 3, "same": 2, "different": 1}'`);
    const status = await clarion('mirror status');
    expect(status).toMatchObject({ code: 1, stdout: expect.stringMatching(/sent +refused.*\n3 +0/) });
    expect((await clarion('mirror differences --kind outcome')).stdout).toMatch(
      /outcome +order-1 +ada +email +sent +skipped/,
    );
    expect((await clarion('mirror differences --kind refused')).stdout).toBe('There is no difference.\n');
    const stopped = await clarion('mirror stop --discard --json');
    expect(JSON.parse(stopped.stdout)).toMatchObject({ state: 'ended', endedReason: 'It was stopped' });
    const log = await test.database.query<{ actor: string }>(
      `SELECT actor_type AS actor FROM audit_log WHERE resource_type = 'mirror'`,
    );
    expect(log.map(({ actor }) => actor)).toEqual(['cli', 'cli']);
  });
});
