import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { until } from '@clarion/testing';
import { type Clarion, startClarion } from './clarion';
import { dashboards, filledIn, ROOT, scalingQueries } from './files';
import { type Prometheus, startPrometheus } from './prometheus';
import { runCommands } from './runbook';

/** Fewer calls open no circuit breaker and do not count for an error budget. */
const MANY = 40;

describe('a real Prometheus that scrapes a real Clarion', () => {
  let clarion: Clarion;
  let prometheus: Prometheus;
  /** Panels that had data in one of the situations. */
  const answered = new Set<string>();

  beforeAll(async () => {
    clarion = await startClarion();
    prometheus = await startPrometheus(clarion.targets);
    const integrations = await clarion.call<{ _id: string }[]>('GET', '/v1/integrations');
    for (const { _id } of integrations) await clarion.call('DELETE', `/v1/integrations/${_id}`);
    for (const [name, controlValues] of [
      ['email', { subject: 'Hello', body: '<p>Hello</p>' }],
      ['sms', { body: 'Hello' }],
    ] as const) {
      await clarion.call('POST', '/v2/workflows', {
        name,
        workflowId: name,
        steps: [{ name, type: name, controlValues }],
      });
    }
    await integrate('email', 'sendgrid', { apiKey: 'SG.key', from: 'hello@clarion.test', senderName: 'Clarion' });
  });
  afterAll(async () => {
    await prometheus?.stop();
    await clarion?.close();
  });

  const integrate = (channel: string, providerId: string, credentials: object) =>
    clarion.call<{ _id: string }>('POST', '/v1/integrations', { channel, providerId, credentials, active: true });

  const trigger = (name: 'email' | 'sms', recipients: number) =>
    clarion.call('POST', '/v1/events/trigger', {
      name,
      to: Array.from({ length: recipients }, (_, n) => ({
        subscriberId: `person-${n}`,
        email: `person${n}@example.com`,
        phone: `+1555000${1000 + n}`,
      })),
      payload: {},
    });

  /** Polls until the expected value appears; returns the last value on a timeout. */
  const settles = async <T>(look: () => Promise<T>, expected: T): Promise<void> => {
    let seen: T | undefined;
    const isThere = async (): Promise<boolean> => isDeepStrictEqual((seen = await look()), expected);
    await until(isThere, 40_000).catch(() => expect(seen).toEqual(expected));
  };

  /** Runs the queries of every panel, for both channels. */
  const lookAtDashboards = async (): Promise<void> => {
    for (const [file, { panels }] of dashboards()) {
      const asked = panels.flatMap(({ title, targets = [] }) =>
        targets.flatMap(({ expr }) =>
          ['email', 'sms'].map((channel) => ({ title, query: filledIn(expr, { channel, provider: '.+' }) })),
        ),
      );
      for (const { title, query } of asked) {
        if ((await prometheus.query(query)).length > 0) answered.add(`${file}: ${title}`);
      }
    }
  };

  /** The number of pods that KEDA would choose for an app: the maximum of its queries. */
  const podsFor = async (target: string): Promise<number> => {
    const queries = scalingQueries().filter((query) => query.target === target);
    const wanted = queries.map(async ({ query, threshold }) => (await prometheus.number(query))! / threshold);
    return Math.ceil(Math.max(...(await Promise.all(wanted))));
  };

  it('fires no alert and requests no more pods when there is no load', async () => {
    await trigger('email', MANY);
    await settles(() => prometheus.number('sum(clarion_messages_total{channel="email", outcome="sent"})'), MANY);
    await settles(() => prometheus.number('count(up == 1)'), 7);
    await settles(() => prometheus.firing(), []);
    await settles(() => prometheus.brokenRules(), []);
    const targets = [...new Set(scalingQueries().map(({ target }) => target))];
    expect(targets.length).toBeGreaterThan(4);
    expect(await Promise.all(targets.map(podsFor))).toEqual(targets.map(() => 0));
  });

  it('fires only the alert for a provider that is down', async () => {
    const twilio = await integrate('sms', 'twilio', { accountSid: 'AC1', token: 'token', from: '+15550000000' });
    clarion.provider.always(/\/Messages\.json/, { status: 503, json: { message: 'down' } });
    await trigger('sms', MANY);
    await settles(() => prometheus.firing(), ['ClarionProviderDown sms twilio']);
    // Nothing that could be sent is due, so more workers would not help, and none are requested.
    await settles(() => podsFor('clarion-worker-sms'), 0);
    await lookAtDashboards();

    // For the next situation: no step waits for that provider any more.
    await clarion.test.database.query(`DELETE FROM work WHERE type = 'sms'`);
    await clarion.call('DELETE', `/v1/integrations/${twilio._id}`);
    await settles(() => prometheus.firing(), []);
  });

  it('fires for a growing backlog without a worker, and computes the pods that it needs', async () => {
    await clarion.stop('worker-email');
    await trigger('email', MANY);
    await settles(() => prometheus.number('clarion:due_steps:max{channel="email"}'), MANY);
    // The spec does not wait for minutes: it writes past times into the rows.
    await clarion.test.database.query(`UPDATE work SET due_at = due_at - interval '2 minutes' WHERE type = 'email'`);
    await settles(
      () => prometheus.firing(),
      [
        'ClarionChannelLagGrowing email',
        'ClarionChannelLagging email',
        'ClarionRoleMissing clarion-worker-email',
        'ClarionTargetDown clarion-worker-email',
      ],
    );
    // One pod for each 5 s that the oldest step has waited.
    expect(await podsFor('clarion-worker-email')).toBeGreaterThanOrEqual(24);
    await settles(() => podsFor('clarion-worker-sms'), 0);
    expect(await podsFor('clarion-engine')).toBe(0);
    await lookAtDashboards();
  });

  it('has data for every panel, except for events that did not happen', () => {
    const titles = dashboards().flatMap(([file, { panels }]) =>
      panels.filter(({ type }) => type !== 'row').map(({ title }) => `${file}: ${title}`),
    );
    expect([...new Set(titles.filter((title) => !answered.has(title)))]).toEqual([
      'channel.json: Failed, 1 h',
      'channel.json: In doubt',
      'channel.json: Waiting for a rate limit',
      'overview.json: Failed messages',
      'overview.json: Read replica',
      'overview.json: Events refused and steps that wait',
      'overview.json: Events sent to inboxes',
      'overview.json: Refused and delayed',
      'overview.json: Webhook calls',
      'overview.json: Mirror copies',
      'provider.json: Events that came back',
    ]);
  });

  it('runs every command of the runbook without an error', () => {
    const { faults, asked } = runCommands(clarion.variables);
    expect(faults).toEqual([]);
    const apps = readdirSync(join(ROOT, 'apps')).map((app) => `clarion-${app}`);
    for (const line of asked) {
      const [program, ...words] = line.split(' ');
      if (program === 'npm') expect(existsSync(join(ROOT, 'tools', `${words[1]}.mjs`))).toBe(true);
      else expect(words.slice(0, 2)).toEqual(['-n', 'clarion']);
      for (const name of words.join(' ').match(/clarion-[a-z-]+/g) ?? []) expect(apps).toContain(name);
    }
    expect(asked.length).toBeGreaterThan(15);
  });
});
