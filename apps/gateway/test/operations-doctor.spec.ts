import type { DatabaseActivityDto, DoctorDto, OperatedQueueListDto, RebuiltQueuesDto } from '@clarion/contracts';
import { QueueProducer } from '@clarion/queue';
import { freePort, insertNotifications, insertSteps, insertWorkflow } from '@clarion/testing';
import { newId } from '@clarion/contracts';
import { Client } from 'pg';
import { expectFieldErrors, OPERATOR_KEY, startOwnGateway, type TestGateway } from './harness';

describe('the doctor and the queues', () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startOwnGateway()));
  afterAll(() => gateway.close());

  const ask = <T>(method: string, name: string) =>
    gateway.call<T>(method, `/v1/operations/${name}`, undefined, { authorization: `ApiKey ${OPERATOR_KEY}` });
  const examine = async () => (await ask<DoctorDto>('GET', 'doctor')).body;
  const of = ({ findings }: DoctorDto, check: string) => findings.filter((finding) => finding.check === check);

  it('says what is fine, without hosts and secrets', async () => {
    const report = await examine();
    for (const check of [
      'postgres',
      'writes',
      'schema',
      'row-level security',
      'encryption keys',
      'queue',
      'claims',
      'inbox signatures',
      'webhooks',
    ]) {
      expect([check, of(report, check).map(({ severity }) => severity)]).toEqual([check, ['ok']]);
    }
    expect(JSON.stringify(report)).not.toMatch(/127\.0\.0\.1|postgres:\/\/|redis:\/\//);
    // The servers of the specs do not wait for the disk.
    expect(of(report, 'durability')).toMatchObject([{ severity: 'bad', found: expect.stringContaining('fsync') }]);
    expect(report.isFine).toBe(false);
  });

  it('shows what the statements of Clarion wait for, without their values', async () => {
    const read = () => ask<DatabaseActivityDto>('GET', 'database');
    const { url: connectionString } = gateway.database.dataSource.options as { url: string };
    const [holder, waiter] = [1, 2].map(
      () => new Client({ connectionString, application_name: 'clarion-waiting' }),
    ) as [Client, Client];
    await Promise.all([holder.connect(), waiter.connect()]);
    await holder.query(`START TRANSACTION; LOCK TABLE tenant`);
    const waits = waiter.query(`SELECT 'private\nvalue',\n  1 FROM tenant`);
    let body: DatabaseActivityDto;
    do ({ body } = await read());
    while (!body.waits.some(({ type }) => type === 'Lock'));
    await holder.query(`ROLLBACK`);
    await waits;
    await Promise.all([holder.end(), waiter.end()]);
    expect(body).toMatchObject({ isPrimary: true, standbys: [] });
    expect(body.connections).toBeLessThan(body.maxConnections);
    expect(body.applications).toContainEqual({ application: 'clarion-waiting', state: 'active', connections: 1 });
    expect(body.waits).toContainEqual(expect.objectContaining({ type: 'Lock', event: 'relation', statements: 1 }));
    const own = body.statements.filter(({ application }) => application === 'clarion-waiting');
    expect(own.map(({ state, waitsFor, query }) => [state, waitsFor, query])).toEqual([
      ['idle in transaction', 'Client: ClientRead', 'START TRANSACTION; LOCK TABLE tenant'],
      ['active', 'Lock: relation', 'SELECT ?, 1 FROM tenant'],
    ]);
    const open = body.openTransactions.filter(({ name }) => name.endsWith(' clarion-waiting'));
    expect(open.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      own.map(({ pid }) => `session ${pid} clarion-waiting`),
    );
  });

  it('says to a tenant only what concerns its own environments', async () => {
    const { body } = await gateway.call<DoctorDto>('GET', '/v1/operations/doctor');
    const checks = new Set(body.findings.map(({ check }) => check));
    expect([...checks].sort()).toEqual(['holds', 'inbox signatures', 'integrations', 'providers', 'webhooks']);
    const named = { authorization: `ApiKey ${OPERATOR_KEY}`, 'clarion-environment': gateway.environmentId };
    const all = await gateway.call<DoctorDto>('GET', '/v1/operations/doctor', undefined, named);
    expect(of(all.body, 'postgres')).toHaveLength(1);
  });

  it('says why Redis cannot be used, without its host and password', async () => {
    const port = await freePort();
    const url = `redis://:hunter2@127.0.0.1:${port}`;
    const other = jest.replaceProperty(gateway.app.get(QueueProducer), 'backend', { kind: 'redis', url });
    const findings = of(await examine(), 'queue');
    const queues = await ask('GET', 'queues');
    other.restore();
    expect(queues).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('its jobs cannot be counted') as string },
    });
    const found = 'Redis does not answer: connect ECONNREFUSED (host)';
    expect(findings).toMatchObject([
      { severity: 'bad', found, advice: expect.stringContaining('REDIS_URL') as string },
    ]);
  });

  it('finds what was damaged, and says what to do', async () => {
    const { database, environmentId } = gateway;
    const workflow = await insertWorkflow(database, { environmentId, steps: [{ type: 'sms' }] });
    await database.query(`ALTER TABLE tenant DISABLE ROW LEVEL SECURITY`);
    await database.query(`ALTER TABLE environment ADD COLUMN IF NOT EXISTS kind text`);
    await database.query(`UPDATE environment SET kind = 'production', inbox_signatures = 'optional' WHERE id = $1`, [
      environmentId,
    ]);
    await database.query(`DROP TABLE step_w${week(3)}`);
    await database.query(`UPDATE migration SET checksum = 'other' WHERE name LIKE 'Holds%'`);
    await database.query(
      `INSERT INTO claim (id, lease_until, first_id, last_id, work_ids, fences)
       VALUES ($1, now() - interval '1 hour', $1, $1, '{}', '{}')`,
      [newId()],
    );
    await database.query(
      `INSERT INTO new_log_entry (environment_id, type, created_at) VALUES ($1, 'message.sent', now() - interval '1 hour')`,
      [environmentId],
    );
    await database.query(`UPDATE api_key SET encrypted_key = 'enc:other:AAAA'`);
    const [notification, other] = await insertNotifications(database, [
      { environmentId, subscriberId: newId(), workflowId: workflow.id },
      { environmentId, subscriberId: newId(), workflowId: workflow.id },
    ]);
    const dueAt = new Date(Date.now() - 600_000);
    await insertSteps(database, notification!, [{ type: 'sms', state: 'queued', dueAt }]);
    const since = new Date(dueAt).toISOString();
    await database.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active, health)
       VALUES ($1, $2, 'Push', 'push-1', 'fcm', 'push', true, $3),
              -- A demo provider takes nothing over.
              ($4, $2, 'Demo', 'demo', 'platform-email', 'push', true, NULL)`,
      [newId(), environmentId, { state: 'open', since, reason: 'HTTP 503' }, newId()],
    );
    await database.query(
      `INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by, created_at)
       VALUES ($1, $2, 'channel', 'chat', 'chat', 'an incident', 'me', now() - interval '2 hours')`,
      [newId(), environmentId],
    );
    const open = `fcm (push-1) in Development is open since ${since}: HTTP 503`;
    await insertSteps(database, other!, [{ type: 'push', state: 'queued', dueAt }]);
    expect(of(await examine(), 'providers')).toMatchObject([
      { severity: 'bad', found: `${open}. Messages of the channel push wait` },
    ]);
    const inHealth = (state: string) =>
      database.query(`UPDATE integration SET health = health || $1 WHERE identifier = 'push-1'`, [{ state }]);
    await inHealth('failing');
    const failing = `fcm (push-1) in Development is failing since ${since}: HTTP 503. It is called, and sends no message`;
    expect(of(await examine(), 'providers')).toMatchObject([{ severity: 'bad', found: failing }]);
    await inHealth('open');
    await database.query(`DELETE FROM work WHERE type = 'push'`);
    const report = await examine();
    expect(of(report, 'providers')[0]!.found).toBe(`${open}. No message waits for it`);
    expect(of(report, 'holds')[0]!.advice).toBe('npm run clarion -- resume channel chat --environment Development');
    const severities = Object.fromEntries(
      [
        'providers',
        'holds',
        'row-level security',
        'integrations',
        'partitions',
        'schema',
        'claims',
        'due work',
        'encryption keys',
        'inbox signatures',
        'webhooks',
      ].map((check) => [check, of(report, check).map(({ severity }) => severity)]),
    );
    expect(severities).toEqual({
      providers: ['warn'],
      holds: ['warn'],
      'row-level security': ['bad'],
      integrations: ['bad'],
      partitions: ['warn'],
      schema: ['bad'],
      claims: ['bad'],
      'due work': ['bad'],
      'encryption keys': ['bad'],
      'inbox signatures': ['warn'],
      webhooks: ['bad'],
    });
    for (const { severity, advice } of report.findings) expect(advice !== null).toBe(severity !== 'ok');
  });

  it('shows due rows beside the jobs, and offers them again', async () => {
    const queue = async () => {
      const { body } = await ask<OperatedQueueListDto>('GET', 'queues');
      return body.data.find(({ name }) => name === 'deliver.sms');
    };
    expect(await queue()).toMatchObject({
      waiting: 0,
      dueRows: 1,
      lanes: [
        { lane: 'critical', dueRows: 0 },
        { lane: 'normal', dueRows: 1 },
        { lane: 'bulk', dueRows: 0 },
      ],
      runningRows: 0,
    });
    const rebuilt = await ask<RebuiltQueuesDto>('POST', 'queues/rebuild');
    expect(rebuilt.body).toEqual({ offeredRows: 1, failedRows: 0 });
    expect(await queue()).toMatchObject({ waiting: 1, dueRows: 1 });
    const away = jest.spyOn(QueueProducer.prototype, 'isConnected', 'get').mockReturnValue(false);
    const refused = await ask('POST', 'queues/rebuild');
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('no job was written') } });
    away.mockRestore();
    expectFieldErrors(await ask('POST', 'queues/rebuild?environment=a'), ['environment']);
    const { environment } = await gateway.admin.createOrganization('Other', { name: 'Theirs', type: 'dev' });
    const theirs = { authorization: `ApiKey ${OPERATOR_KEY}`, 'clarion-environment': environment.id };
    const other = await gateway.call<RebuiltQueuesDto>('POST', '/v1/operations/queues/rebuild', undefined, theirs);
    expect(other.body).toEqual({ offeredRows: 0, failedRows: 0 });
  });
});

/** The name of the week that begins this many weeks after the present one. */
function week(ahead: number): string {
  const length = 7 * 24 * 3600 * 1000;
  return new Date((Math.floor(Date.now() / length) + ahead) * length).toISOString().slice(0, 10).replaceAll('-', '');
}
