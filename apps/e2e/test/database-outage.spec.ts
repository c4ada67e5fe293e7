// eslint-disable-next-line clarion/no-restricted-syntax -- an outage is a time
import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '@clarion/persistence';
import { openTcpProxy, type TcpProxy, until } from '@clarion/testing';
import { type Clarion, startOwnClarion } from './harness';

const EVENTS = 40;
/** Longer than a lease: when the database is back, the claims of the living worker have lapsed. */
const OUTAGE_MS = LEASE_MS + 2_000;

describe('a database that is away for longer than a lease', () => {
  let clarion: Clarion;
  let proxy: TcpProxy;

  beforeAll(async () => {
    proxy = await openTcpProxy(Number(new URL(process.env['CLARION_TEST_DATABASE_URL']!).port));
    clarion = await startOwnClarion({
      roles: ['engine', 'email'],
      route: (url) => Object.assign(new URL(url), { port: String(proxy.port) }).href,
    });
    await clarion.integration('resend', 'email', { identifier: 'mail' });
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: '<p>{{payload.n}}</p>' } }]);
  });
  afterAll(async () => {
    await clarion.close();
    await proxy.close();
  });

  it('calls the provider once for each message and records every outcome', async () => {
    const { provider, database } = clarion;
    // No call ends before the outage begins, and each ends before it is over.
    let answerAll = (): void => undefined;
    const after = new Promise<void>((resolve) => (answerAll = resolve));
    provider.always('/emails', { json: { id: 'taken' }, after });
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      name: 'mail',
      to: { subscriberId: `s-${n}`, email: 's@x.test' },
      payload: { n },
    }));
    // The first sweep of an installation cannot know how long none was made.
    await until(async () => (await database.query('SELECT 1 FROM sweep')).length > 0);
    await clarion.callOk('POST', '/v1/events/trigger/bulk', { events });
    await until(() => provider.count > 20);
    await proxy.cut();
    answerAll();
    await delay(OUTAGE_MS);
    expect(await database.query('SELECT 1 FROM step')).toEqual([]);
    await proxy.restore();
    const ended = async () => (await database.query(`SELECT 1 FROM step WHERE state = 'completed'`)).length === EVENTS;
    await until(ended);
    const keys = provider.calls.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([EVENTS, EVENTS]);
    const interrupted = await database.query(`SELECT 1 FROM step WHERE details::text LIKE '%interrupted%'`);
    expect(interrupted).toEqual([]);
    // One line when it begins and when it is over, and a few while it lasts.
    const lines = clarion.logged.filter((line) => line.includes('cannot be recorded'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(EVENTS / 4);
  });
});
