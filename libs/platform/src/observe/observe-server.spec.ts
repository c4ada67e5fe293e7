import { Health } from './health';
import { Metrics } from './metrics';
import { openObserveServer, type ObserveServer } from './observe-server';

describe('openObserveServer', () => {
  const health = new Health();
  const metrics = new Metrics();
  const options = { host: '127.0.0.1', variable: 'CLARION_OBSERVE_PORT', health, metrics, otherwise: 404 } as const;
  let server: ObserveServer;

  beforeAll(async () => {
    server = await openObserveServer({ ...options, port: 0 });
  });
  afterAll(() => server.close());

  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it('answers liveness and readiness probes', async () => {
    expect(await get('/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get('/health/ready')).toMatchObject({ status: 503, text: expect.stringContaining('starting') });
    health.started();
    expect(await get('/health/ready?x=1')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get('/health/ready', 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('answers a scrape of Prometheus', async () => {
    const { status, type, text } = await get('/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('# TYPE clarion_messages_total counter\n');
  });

  it('answers every other path with the configured status', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', 'POST')).status).toBe(404);
    expect((await get('/v1/events/trigger')).status).toBe(404);
  });

  it('reports a port in use and the variable to set', async () => {
    await expect(openObserveServer({ ...options, port: server.port })).rejects.toThrow(
      `Port ${server.port} is in use on 127.0.0.1: stop the other program or set CLARION_OBSERVE_PORT to a free one`,
    );
  });
});
