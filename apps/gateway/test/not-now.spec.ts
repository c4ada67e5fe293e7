import { Client } from 'pg';
import { until } from '@clarion/testing';
import { startOwnGateway, type TestGateway } from './harness';

const EVENT = { name: 'note', to: 'ann', payload: {} };

describe('a database that does not accept work now', () => {
  let gateway: TestGateway;
  let admin: Client;
  let name: string;

  beforeAll(async () => {
    gateway = await startOwnGateway({ LOG_LEVEL: 'warn' });
    await gateway.call('POST', '/v2/workflows', {
      name: 'note',
      workflowId: 'note',
      steps: [{ name: 'note', type: 'in_app', controlValues: { body: 'x' } }],
    });
    const url = new URL((gateway.database.dataSource.options as { url: string }).url);
    name = url.pathname.slice(1);
    url.pathname = '/postgres';
    admin = new Client({ connectionString: url.href });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await gateway.close();
  });
  beforeEach(() => (gateway.logged.length = 0));

  const trigger = () => gateway.call('POST', '/v1/events/trigger', EVENT);
  const ready = async () => (await gateway.health.ready()).ok;
  const endSessions = () =>
    admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);

  async function expectRefusals(): Promise<void> {
    const answers = await Promise.all(Array.from({ length: 8 }, trigger));
    for (const { status, headers } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect(await ready()).toBe(false);
    // One line now and then, without a stack, and not one for each request.
    expect(gateway.logged.filter((line) => line.includes('stack'))).toEqual([]);
    expect(gateway.logged.filter((line) => line.includes('Requests get 503')).length).toBeLessThan(4);
  }

  const untilAccepted = () => until(async () => (await trigger()).status === 201);

  it('answers 503 while Postgres is read-only, and drops the connections that stay read-only after that', async () => {
    expect((await trigger()).status).toBe(201);
    await admin.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    await endSessions();
    await trigger();
    await expectRefusals();
    await admin.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    // The pool still has connections of before. Each ends with the first write that it refuses.
    await untilAccepted();
    for (let index = 0; index < 8; index += 1) expect((await trigger()).status).toBe(201);
    await endSessions();
    // A request may get each connection that the process does not yet know to be closed.
    await untilAccepted();
  });

  async function whileWritesFail(code: string, use: () => Promise<void>): Promise<void> {
    await gateway.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not write' USING ERRCODE = '${code}'; END $$`,
    );
    await gateway.database.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON work FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
    );
    await use();
    await gateway.database.query(`DROP TRIGGER refuse ON work; DROP FUNCTION refuse()`);
    expect((await trigger()).status).toBe(201);
  }

  it.each(['53100', '53200', '58030'])('answers 503 and is not ready after a write failed with %s', (code) =>
    whileWritesFail(code, expectRefusals),
  );

  it.each([
    ['57014', 'took too long for this request'],
    ['55P03', 'waited too long for rows that another request changes'],
  ])('says in its answer and in the log why a statement was ended with %s', (code, cause) =>
    whileWritesFail(code, async () => {
      const { status, body } = await gateway.call<{ message: string }>('POST', '/v1/events/trigger', EVENT);
      expect([status, body.message]).toEqual([503, expect.stringContaining(`The database ${cause}`)]);
      expect(gateway.logged.filter((line) => line.includes(`The database ${cause}`))).toHaveLength(1);
    }),
  );
});
