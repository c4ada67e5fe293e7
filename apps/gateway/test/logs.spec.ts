import { until } from '@clarion/testing';
import { createInAppWorkflow, OPERATOR_KEY, startGateway, type TestGateway } from './harness';

type Line = Record<string, unknown>;

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADERS = { 'x-request-id': 'from-outside-1', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

describe('log lines of the gateway', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ LOG_LEVEL: 'trace' });
    await createInAppWorkflow(gateway, 'hello');
  });
  afterAll(() => gateway.close());
  beforeEach(() => void gateway.logged.splice(0));

  /** Waits for the lines, because the gateway writes them after it has sent the response. */
  const lines = async (count: number): Promise<Line[]> => {
    const found = () =>
      gateway.logged.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg !== 'maintenance finished');
    await until(() => found().length >= count);
    return found();
  };
  const event = (transactionId: string) => ({ name: 'hello', to: 'ann', transactionId });

  it('logs the request id, trace id and transaction id of a request', async () => {
    const answer = await gateway.call('POST', '/v1/events/trigger', event('order-1'), HEADERS);
    expect(answer.headers.get('x-request-id')).toBe('from-outside-1');
    expect(await lines(1)).toEqual([
      expect.objectContaining({
        msg: 'request',
        reqId: 'from-outside-1',
        traceId: TRACE,
        transactionId: 'order-1',
        status: 201,
        environmentId: gateway.environmentId,
      }),
    ]);
  });

  it('logs all transaction ids of a bulk trigger and that of a cancellation', async () => {
    const events = ['order-2', 'order-3'].map(event);
    await gateway.call('POST', '/v1/events/trigger/bulk', { events });
    await gateway.call('DELETE', '/v1/events/trigger/order-2');
    const [bulk, canceled] = await lines(2);
    expect(bulk).toMatchObject({ transactionIds: ['order-2', 'order-3'] });
    expect(bulk).not.toHaveProperty('traceId');
    expect(canceled).toMatchObject({ transactionId: 'order-2' });
  });

  it('logs the ids of a request once in each line, also in errors after a large body', async () => {
    await gateway.database.query('ALTER TABLE tenant RENAME TO tenant_away');
    try {
      // Large enough that the body arrives after the headers.
      const body = `${JSON.stringify({ identifier: 'acme', name: 'Acme' })}${' '.repeat(500_000)}`;
      expect((await gateway.call('POST', '/v1/tenants', body, HEADERS)).status).toBe(500);
      const [fault, request] = await lines(2);
      expect(fault).toMatchObject({ level: 50, reqId: 'from-outside-1', traceId: TRACE });
      expect(request).toMatchObject({ msg: 'request', reqId: 'from-outside-1', traceId: TRACE, status: 500 });
      expect(gateway.logged.join('').match(/"reqId"/g)).toHaveLength(2);
    } finally {
      await gateway.database.query('ALTER TABLE tenant_away RENAME TO tenant');
    }
  });

  it('logs that the operator sent a request, and never the key', async () => {
    const operator = { authorization: `ApiKey ${OPERATOR_KEY}`, 'clarion-environment': gateway.environmentId };
    expect((await gateway.call('GET', '/v1/holds', undefined, operator)).status).toBe(200);
    expect((await gateway.call('GET', '/v2/topics', undefined, operator)).status).toBe(403);
    expect((await gateway.call('POST', '/v1/sessions', { apiKey: OPERATOR_KEY }, operator)).status).toBe(403);
    expect(await lines(3)).toMatchObject([
      { msg: 'request', keyId: 'operator', environmentId: gateway.environmentId },
      { msg: 'request', status: 403 },
      { msg: 'request', status: 403 },
    ]);
    expect(gateway.logged.join('')).not.toContain(OPERATOR_KEY);
  });

  it('keeps the ids of concurrent requests apart', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `many-${at}`);
    await Promise.all(
      ids.map((id) => gateway.call('POST', '/v1/events/trigger', event(id), { 'x-request-id': `request-of-${id}` })),
    );
    const seen = (await lines(20)).map(({ reqId, transactionId }) => [reqId, transactionId]);
    expect(seen.sort()).toEqual(ids.map((id) => [`request-of-${id}`, id]).sort());
  });

  it.each(['not one at all', 'x'.repeat(129), ''])('generates a request id when the caller sends %j', async (given) => {
    const answer = await gateway.call('GET', '/v1/environments', undefined, { 'x-request-id': given });
    const [line] = await lines(1);
    expect(line!['reqId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-request-id')).toBe(line!['reqId']);
  });
});
