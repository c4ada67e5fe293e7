import type { Priority } from '@clarion/contracts';
import { FanOutRepository } from '@clarion/persistence';
import { until } from '@clarion/testing';
import { type Clarion, startClarion } from './harness';

const EMAIL = { type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } } as const;
/** More than an engine handles batches of events at the same time. */
const BROADCASTS = 4;

describe('lanes', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine'] });
    await clarion.workflow('mail', [EMAIL]);
    await clarion.integration('sendgrid', 'email');
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());
  afterEach(() => clarion.stop('email'));

  const openTriggers = async (): Promise<number> => {
    const [row] = await clarion.database.rows<{ open: number }>(
      `SELECT count(*)::int AS open FROM work WHERE type = 'trigger'`,
    );
    return row!.open;
  };
  /** Posts events in calls of a hundred, and waits until all steps of the environment are queued. */
  const queue = async (name: string, count: number, priority?: Priority) => {
    for (let first = 0; first < count; first += 100) {
      const events = Array.from({ length: Math.min(100, count - first) }, (_, at) => {
        const to = { subscriberId: `${name}-${first + at}`, email: `${name}-${first + at}@x.test` };
        return { name: 'mail', to, ...(priority && { priority }) };
      });
      await clarion.callOk('POST', '/v1/events/trigger/bulk', { events });
    }
    await until(async () => (await openTriggers()) === 0);
  };
  /** The names in the order in which the provider got their messages. */
  const sent = async (count: number): Promise<string[]> => {
    await clarion.start('email');
    await until(() => clarion.provider.calls.length >= count);
    return clarion.provider.calls.map(({ body }) => /"(bulk|normal|critical)-/.exec(body)![1]!);
  };

  it('sends a critical message before the backlog of its environment, and a normal one before bulk', async () => {
    await queue('bulk', 400, 'bulk');
    await queue('normal', 600);
    await queue('critical', 1, 'critical');
    const order = await sent(1_001);
    expect(order.indexOf('critical')).toBeLessThan(200);
    // Nearly all normal messages: bulk has its tenth meanwhile.
    expect(order.slice(0, 500).filter((name) => name === 'bulk').length).toBeLessThan(200);
  });

  it('sends bulk messages also during a flood of critical ones', async () => {
    await queue('critical', 600, 'critical');
    await queue('bulk', 100, 'bulk');
    const order = await sent(700);
    expect(order.indexOf('bulk')).toBeLessThan(order.lastIndexOf('critical'));
    expect(order.slice(0, 300).filter((name) => name === 'critical').length).toBeGreaterThan(150);
  });

  it('runs other events of the environment between the pages of broadcasts', async () => {
    await queue('normal', 150);
    const { subscribers } = FanOutRepository.prototype;
    const secondPages: (() => void)[] = [];
    let isOtherRun = false;
    const read = jest.spyOn(FanOutRepository.prototype, 'subscribers');
    read.mockImplementation(async function (this: FanOutRepository, environmentId, after, leftOut) {
      // Each second page waits for the other event: if that one waited for broadcasts, none of them would go on.
      if (after && !isOtherRun) await new Promise<void>((resolve) => secondPages.push(resolve));
      return subscribers.call(this, environmentId, after, leftOut, 50);
    });
    try {
      for (let count = 0; count < BROADCASTS; count += 1)
        await clarion.callOk('POST', '/v1/events/trigger/broadcast', { name: 'mail', payload: {} });
      await until(() => secondPages.length === BROADCASTS);
      const transactionId = await clarion.trigger('mail', { subscriberId: 'other', email: 'other@x.test' });
      await clarion.activity(transactionId, (notifications) => notifications.length === 1);
      isOtherRun = true;
      for (const goOn of secondPages) goOn();
      await until(async () => (await openTriggers()) === 0);
    } finally {
      read.mockRestore();
    }
  });
});
