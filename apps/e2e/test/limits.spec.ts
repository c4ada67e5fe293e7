import type { NotificationDto, StuckListDto, StuckRowDto } from '@clarion/contracts';
import type { RunningGateway } from '@clarion/gateway';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, historyOf, startAnotherGateway, startOwnClarion } from './harness';

const PER_SECOND = 20;

describe('the limits of an environment', () => {
  let clarion: Clarion;
  let second: RunningGateway;

  beforeAll(async () => {
    clarion = await startOwnClarion({ roles: ['engine', 'in_app', 'email'] });
    second = await startAnotherGateway(clarion);
    const note = { type: 'in_app', controlValues: { body: 'Hello' } } as const;
    await clarion.workflow('note', [note]);
    await clarion.workflow('computed', [{ type: 'custom', controlValues: { text: '{{ payload.number }}' } }, note]);
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'Hello', body: '<p>Hi</p>' } }]);
  });
  afterAll(async () => {
    await second.close();
    await clarion.close();
  });

  const limit = (changes: object) => clarion.callOk('PUT', '/v1/operations/limits', changes);
  /** The events that a gateway allows in five seconds, from its response. */
  const windowOf = async (url: string): Promise<number> => {
    const { headers } = await fetch(`${url}/v1/events/trigger`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${clarion.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'note', to: 'ada' }),
    });
    return Number(headers.get('ratelimit-limit'));
  };

  it('divides the events a second among the gateways by what each is asked for', async () => {
    await limit({ eventsPerSecond: PER_SECOND });
    const isShared = (parts: [number, number]) => async (): Promise<boolean> => {
      const requests = [clarion.url, second.url].flatMap((url, at) => Array<string>(parts[at]!).fill(url));
      const answers = await Promise.all(requests.map(async (url) => ({ url, window: await windowOf(url) })));
      const windowAt = (one: string): number => answers.findLast(({ url }) => url === one)!.window;
      const [ours, theirs] = [windowAt(clarion.url), windowAt(second.url)];
      const isWhole = Math.abs(ours + theirs - 5 * PER_SECOND) <= 0.15 * 5 * PER_SECOND;
      return isWhole && (parts[0] === parts[1] ? Math.abs(ours - theirs) <= 0.3 * ours : ours > 2 * theirs);
    };
    await until(isShared([2, 2]));
    await until(isShared([10, 1]));
    await limit({ eventsPerSecond: null });
  });

  const stuck = async (): Promise<StuckRowDto[]> =>
    (await clarion.callOk<StuckListDto>('GET', '/v1/operations/stuck?olderThan=0&limit=100')).data.filter(
      ({ reason }) => reason === 'limit',
    );
  const waits = (notification: NotificationDto): string[][] =>
    historyOf(notification).map((lines) => lines.filter((line) => /Step wait(s|ed)/.test(line)));

  it('lets the steps of an environment without render time wait in workers and engines, and says so', async () => {
    const { templates, metrics } = clarion.resources;
    await limit({ renderMsPerSecond: 1 });
    const isUsedUp = (): boolean => {
      templates.debit(clarion.environmentId, 1_000);
      return templates.overBudget(clarion.environmentId) !== undefined;
    };
    await until(isUsedUp);
    const ids = [await clarion.trigger('note', 'ada'), await clarion.trigger('computed', 'ada')];
    await until(async () => (await stuck()).length === 2);
    expect((await stuck()).sort((one, other) => one.type.localeCompare(other.type))).toEqual(
      ['custom', 'in_app'].map((type) =>
        expect.objectContaining({
          type,
          waitsFor: expect.stringContaining('have used up 1 ms a second; next try at 20') as string,
          advice: expect.stringContaining('--render-ms-per-second') as string,
        }),
      ),
    );
    const text = await metrics.expose();
    for (const channel of ['custom', 'in_app']) {
      expect(text).toContain(`clarion_limit_waits_total{limit="render_time",channel="${channel}"} 1`);
    }
    await limit({ renderMsPerSecond: null });
    for (const id of ids) {
      const [notification] = await clarion.activity(id, allEnded());
      expect(notification!.jobs!.map(({ status }) => status)).toEqual(notification!.jobs!.map(() => 'completed'));
      expect(waits(notification!)[0]).toEqual([
        expect.stringContaining('Pending: Step waits: the environment has used up its 1 ms of render time a second;'),
      ]);
    }
  });

  it('delivers messages while all batches of another environment are being rendered', async () => {
    const { templates } = clarion.resources;
    const { apiKeys } = await clarion.callOk<{ apiKeys: { key: string }[] }>('POST', '/v1/environments', {
      name: 'Heavy',
      kind: 'development',
    });
    const heavy = (path: string, body: object): Promise<Response> =>
      fetch(clarion.url + path, {
        method: 'POST',
        headers: { authorization: `ApiKey ${apiKeys[0]!.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const body = '{% if payload.a %}a{% endif %}';
    const steps = {
      in_app: { body },
      email: { subject: 'Hello', body },
      custom: { text: body },
    };
    for (const [type, controlValues] of Object.entries(steps)) {
      const answer = await heavy('/v2/workflows', {
        name: type,
        workflowId: type,
        steps: [{ name: type, type, controlValues }],
      });
      expect(answer.status).toBe(201);
    }
    const account = await clarion.integration('resend', 'email');
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let rendering = 0;
    const renderMany = templates.renderMany.bind(templates);
    const slow = jest.spyOn(templates, 'renderMany').mockImplementation(async (items) => {
      if (items.some(({ environmentId }) => environmentId !== clarion.environmentId)) {
        rendering += 1;
        await gate;
      }
      return renderMany(items);
    });
    try {
      // As many batches as each role runs at a time.
      for (const batches of [1, 2]) {
        for (const name of Object.keys(steps)) {
          await heavy('/v1/events/trigger', { name, to: { subscriberId: 'bob', email: 'bob@x.test' } });
        }
        await until(() => rendering >= 3 * batches);
      }
      const to = { subscriberId: 'ada', email: 'ada@x.test' };
      for (const name of ['note', 'computed', 'mail']) {
        const { jobs = [] } = await clarion.run(name, to);
        expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'));
      }
    } finally {
      open();
      slow.mockRestore();
      await clarion.callOk('DELETE', `/v1/integrations/${account._id}`);
    }
  });

  it('says which messages wait for the rate limit of their integration', async () => {
    const { _id } = await clarion.integration('sendgrid', 'email', {
      name: 'Slow account',
      configurations: { rateLimit: 2 },
    });
    const events = Array.from({ length: 30 }, (_, at) => ({
      name: 'mail',
      to: { subscriberId: `m${at}`, email: `m${at}@x.test` },
    }));
    const results = await clarion.callOk<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', { events });
    // Eight wait inside the worker.
    await until(async () => (await stuck()).length >= 4);
    const { metrics } = clarion.resources;
    await until(async () =>
      /clarion_stage_seconds_count\{stage="rate_limit",channel="email"\} ([4-9]|\d\d)/.test(await metrics.expose()),
    );
    expect((await stuck())[0]).toMatchObject({
      type: 'email',
      waitsFor: expect.stringContaining(
        'its turn: the integration "Slow account" sends at most 2 messages a second',
      ) as string,
    });
    await clarion.callOk('PUT', `/v1/integrations/${_id}`, { configurations: { rateLimit: 1_000 } });
    const lines: string[] = [];
    for (const { transactionId } of results) {
      const [notification] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'completed');
      const [wait] = waits(notification!);
      expect(wait!.length).toBeLessThanOrEqual(1);
      lines.push(...wait!);
    }
    const limited = 'integration "Slow account" sends at most 2 messages a second';
    expect(
      lines.filter((line) => line.startsWith(`Pending: Step waits: ${limited}; it goes on in its turn`)).length,
    ).toBeGreaterThan(3);
    expect(lines).toContainEqual(expect.stringMatching(/^Pending: Step waited [1-9].* s: integration "Slow account"/));
  });
});
