import { type ChildProcess, spawn } from 'node:child_process';
import type { EnvironmentId } from '@clarion/contracts';
import { EnvironmentAdmin } from '@clarion/gateway/command-line';
import { BulkActionRepository, EnvironmentRepository } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import {
  createTestDatabase,
  type GivenStep,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
  type WorkflowRow,
  until,
} from '@clarion/testing';
import { newId, type SubscriberRowId } from '@clarion/contracts';
import { CLI } from './installation';

const AGO = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('the tools for the night', () => {
  let test: TestDatabase;
  let admin: EnvironmentAdmin;
  let organizationId: string;
  let environmentId: EnvironmentId;
  let workflow: WorkflowRow;
  const secret = SecretBox.generateKey();
  const subscriberId = newId<SubscriberRowId>();
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    test = await createTestDatabase();
    admin = new EnvironmentAdmin(test.database, new EnvironmentRepository(test.database), new SecretBox(secret));
    ({ id: environmentId, organizationId } = (await admin.ensureDefaults())!.environment);
    workflow = await insertWorkflow(test.database, { environmentId, workflowId: 'welcome' });
    await test.database.query(`INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, 'ada')`, [
      subscriberId,
      environmentId,
    ]);
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await test.drop();
  });

  function start(line: string) {
    const child = spawn(process.execPath, [CLI, ...line.split(' ')], {
      env: { PATH: process.env['PATH'], DATABASE_URL: test.url, CLARION_ENCRYPTION_KEY: secret, LOG_LEVEL: 'warn' },
    });
    running.push(child);
    const run = { child, stdout: '', stderr: '', code: new Promise<number | null>((end) => child.once('close', end)) };
    child.stdout.on('data', (chunk: Buffer) => (run.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (run.stderr += chunk.toString()));
    return run;
  }
  async function clarion(line: string) {
    const run = start(line);
    return { code: await run.code, stdout: run.stdout, stderr: run.stderr };
  }
  async function notify(...steps: GivenStep[]) {
    const [notification] = await insertNotifications(test.database, [
      { environmentId, subscriberId, workflowId: workflow.id },
    ]);
    const made = await insertSteps(test.database, notification!, steps);
    const failed = steps.filter(({ state }) => state === 'failed').length;
    await test.database.query(
      `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted, failed)
       VALUES ($1, $2, date_trunc('minute', now()), 'email', $3, $4)`,
      [environmentId, workflow.id, steps.length, failed],
    );
    return { notification: notification!, steps: made };
  }
  const failed: GivenStep = {
    type: 'email',
    state: 'failed',
    providerId: 'sendgrid',
    error: { message: 'Mailbox is full' },
  };

  it('shows the use, what is stuck, the errors and what has an id', async () => {
    await notify({ state: 'queued', type: 'push', dueAt: AGO(300) });
    const { notification } = await notify(failed);
    const [top, stuck, errors, lookup, database, nothing, wrong] = await Promise.all([
      clarion('top --by workflow'),
      clarion('stuck --older-than 2m --json'),
      clarion('errors --since 10m'),
      clarion(`lookup ${notification.id}`),
      clarion('database'),
      clarion('lookup unknown-id'),
      clarion('stuck --older-than soon'),
    ]);
    expect(top).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/Development +welcome/) as string });
    expect(stuck.code).toBe(1);
    expect(JSON.parse(stuck.stdout)).toMatchObject({
      total: 1,
      data: [{ type: 'push', subscriberId: 'ada', advice: expect.any(String) as string }],
    });
    expect(errors).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Mailbox is full') as string });
    expect(lookup).toMatchObject({ code: 0, stdout: expect.stringContaining('email (sendgrid): failed') as string });
    expect(database).toMatchObject({ code: 0, stderr: '' });
    expect(database.stdout).toMatch(/^Postgres is the primary\. \d+ of \d+ connections.*clarion-cli/s);
    expect(nothing).toMatchObject({ code: 1, stdout: 'Nothing has this id.\n' });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--older-than must be') as string });
  });

  it('shows one wait of each kind, what was sent before, and the ids of what failed', async () => {
    await test.database.query('DELETE FROM work');
    for (const seconds of [300, 400, 500]) await notify({ state: 'queued', type: 'push', dueAt: AGO(seconds) });
    const { notification, steps } = await notify(failed);
    const [stuck, past, ids, alone] = await Promise.all([
      clarion('stuck --older-than 2m'),
      clarion('tail --status failed --since 1h --until 0s'),
      clarion('audit --since 1h --ids --status failed'),
      clarion('audit --since 1h --status failed'),
    ]);
    expect(stuck.stdout).toMatch(/^\d+m \d+s {2}Development {2}welcome {2}push to ada .*, and 2 like it\n/);
    expect(stuck.stdout).toContain('\n3 in all: 3 ');
    expect(past).toMatchObject({ code: 0, stderr: '' });
    expect(past.stdout).toContain(`email failed (sendgrid): Mailbox is full  ${notification.id}\n`);
    expect(ids.stdout).toContain(` email failed ${steps[0]!.id}\n`);
    expect(ids.stdout).not.toMatch(/ push in_flight /);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('give --ids too') as string });
    await test.database.query('DELETE FROM work');
  });

  it('holds and resumes only where it is clear which environment is meant', async () => {
    const live = (await admin.createEnvironment(organizationId, { name: 'Live' })).environment.id;
    await insertWorkflow(test.database, { environmentId: live, workflowId: 'welcome' });
    const [unclear, held, whole] = await Promise.all([
      clarion('hold workflow welcome'),
      clarion('hold workflow welcome --environment Live --json'),
      clarion('hold environment Live'),
    ]);
    expect(unclear).toMatchObject({ code: 2, stdout: '' });
    expect(unclear.stderr).toContain('--environment is missing; there is a workflow welcome in: ');
    expect(held.code).toBe(0);
    expect(whole.stdout).toContain(live);
    const resumed = await clarion('resume workflow welcome --json');
    expect(JSON.parse(resumed.stdout)).toEqual([
      { environment: 'Live', target: 'workflow', id: 'welcome', resumed: 'yes' },
    ]);
    const [again, environment, unknown] = await Promise.all([
      clarion('resume workflow welcome'),
      clarion('resume environment Live'),
      clarion('hold integration unknown'),
    ]);
    expect(again).toMatchObject({ code: 1, stderr: 'The workflow welcome is not held\n' });
    expect(environment.code).toBe(0);
    expect(unknown).toMatchObject({ code: 1, stderr: 'Integration unknown was not found\n' });
  });

  it.each([
    ['57014', 'A statement took longer than Postgres may work on it: '],
    ['55P03', 'A statement waited too long for rows that another one was changing: '],
  ])('says why a statement was ended with %s', async (code, cause) => {
    await test.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`,
    );
    await test.database.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON hold FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
    );
    const environment = await clarion(`hold environment ${environmentId}`);
    await test.database.query(`DROP TRIGGER refuse ON hold; DROP FUNCTION refuse()`);
    expect(environment).toMatchObject({ code: 1, stderr: `${cause}refused\n` });
  });

  it('holds every environment at once, and resumes what it held and nothing else', async () => {
    await clarion('hold environment Live --reason earlier');
    const held = await clarion('hold installation --reason restored --json');
    expect(held).toMatchObject({ code: 0, stderr: expect.stringContaining('1 were held by the operator before') });
    const reasons = async () =>
      (await test.database.rows<{ reason: string }>('SELECT reason FROM hold WHERE resumed_at IS NULL ORDER BY 1')).map(
        ({ reason }) => reason,
      );
    const all = await reasons();
    expect(JSON.parse(held.stdout)).toEqual([{ environments: all.length, held: all.length }]);
    expect(new Set(all)).toEqual(new Set(['earlier', 'The installation is held: restored']));
    await admin.createEnvironment(organizationId, { name: 'Created while all is held' });
    expect(await reasons()).toHaveLength(all.length + 1);
    const resumed = await clarion('resume installation --json');
    expect(JSON.parse(resumed.stdout)).toEqual([{ environments: all.length + 1, resumed: all.length }]);
    expect(await reasons()).toEqual(['earlier']);
    expect((await clarion('resume environment Live')).code).toBe(0);
  });

  it('explains every rule, and follows the activity over a lost connection until Ctrl-C', async () => {
    const tail = start('tail --json --subscriber ada');
    const [explained] = await Promise.all([
      clarion('explain ada welcome'),
      until(() => tail.stderr.includes('Following')),
    ]);
    expect(explained.stdout).toContain('welcome to ada in Development');
    expect(explained.stdout).toMatch(/passed +workflow: /);
    await test.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'clarion-cli'`,
    );
    const { notification } = await notify(failed);
    await until(() => tail.stdout.includes(notification.id));
    tail.child.kill('SIGINT');
    expect(await tail.code).toBe(0);
    const lines = tail.stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { notification: { _id: string } }).notification._id)).toContain(
      notification.id,
    );
  });

  it('replays a frozen set only with --yes, shows its progress and how to go on', async () => {
    await test.database.query('DELETE FROM step');
    const { steps } = await notify(failed, { type: 'sms', state: 'failed', providerId: 'twilio' });
    const [unconfirmed, everything, everywhere, ...throughNone] = await Promise.all([
      clarion('replay --provider sendgrid --since 1h'),
      clarion('replay'),
      clarion('replay --provider sendgrid --since 1h --through backup --yes'),
      clarion('replay --environment Development --since 1h --through none --yes'),
      clarion('replay --environment Development --since 1h --through= --yes'),
    ]);
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('these 1 begins') as string });
    expect(everything).toMatchObject({ code: 2, stderr: expect.stringContaining('Say what to replay') as string });
    expect(everywhere).toMatchObject({ code: 2, stderr: expect.stringContaining('of one environment') as string });
    for (const refused of throughNone) {
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('an active integration') as string });
    }

    await test.database.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active)
       VALUES ($1, $2, 'Backup', 'backup', 'resend', 'email', true)`,
      [newId(), environmentId],
    );
    const replay = start(
      'replay --environment Development --provider sendgrid --since 1h --through backup --yes --json',
    );
    const runner = new BulkActionRepository(test.database);
    let queued: { id: string }[] | undefined;
    while (!queued) queued = await runner.runNextBatch('steady');
    expect(queued.map(({ id }) => id)).toEqual([steps[0]!.id]);
    expect(await replay.code).toBe(0);
    expect(JSON.parse(replay.stdout)).toMatchObject([{ action: 'replay', state: 'done', count: 1, done: 1 }]);
    expect(replay.stderr).toContain('replay: 1 of 1 (100 %)');
    const [work] = await test.database.query<{ through: string }>(
      `SELECT progress ->> 'through' AS through FROM work WHERE id = $1`,
      [steps[0]!.id],
    );
    expect(work).toEqual({ through: 'backup' });

    const cancel = start('cancel --transaction none --yes');
    expect(await cancel.code).toBe(0);
    expect(cancel.stdout).toBe('Nothing matches.\n');
    const stopped = start('cancel --subscriber ada --yes --json');
    await until(() => stopped.stderr.includes('cancel: 0 of'));
    stopped.child.kill('SIGINT');
    expect(await stopped.code).toBe(0);
    const [, id] = /clarion -- bulk stop (\S+)\./.exec(stopped.stderr)!;
    expect((await clarion(`bulk stop ${id} --json`)).stdout).toContain('"state": "stopped"');
  });
});
