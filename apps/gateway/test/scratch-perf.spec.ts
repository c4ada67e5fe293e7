import { ensurePartitions } from '@clarion/persistence';
import { insertHistory, insertNotifications, insertMessages, type WorkflowRow } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';

jest.setTimeout(3_600_000);
const DAY = 24 * 3600 * 1000;
it('perf', async () => {
  const gateway: TestGateway = await startGateway({ CLARION_RATE_LIMIT: 'false' });
  const { environmentId, database } = gateway;
  console.log((await database.query<{ d: string }>(`SELECT current_database() AS d`))[0]!.d);
  await ensurePartitions(database, { from: Date.now() - 21 * DAY });
  const now = Date.now();
  let prefix = '';
  let workflow!: WorkflowRow;
  const results: Record<string, number[]> = {};
  const grow = async (notifications: number, subscribers: number) => {
    const started = performance.now();
    const made = await insertHistory(database, {
      environmentId,
      notifications,
      subscribers,
      from: new Date(now - 10 * DAY),
      to: new Date(now),
    });
    prefix ||= made.prefix;
    workflow ??= made.workflow;
    console.log(`history ${notifications}: ${Math.round(performance.now() - started)} ms`);
    await database.query(`SET statement_timeout = 0`);
    if (!process.env['NO_ANALYZE'])
      for (const t of ['notification', 'message', 'step', 'execution_detail', 'subscriber'])
        await database.query(`ANALYZE ${t}`).catch((e) => console.log(String(e)));
  };
  const measure = async () => {
    const queries: Record<string, string> = {
      messages: '/v1/messages',
      'messages p100': '/v1/messages?page=100',
      'messages 100': '/v1/messages?limit=100',
      'messages channel': '/v1/messages?channel=email',
      'messages chat(rare)': '/v1/messages?channel=chat',
      'messages subscriber': `/v1/messages?subscriberId=${prefix}-7`,
      'messages tx': `/v1/messages?transactionId=${prefix}-7`,
      'messages 2 tx': `/v1/messages?transactionId=${prefix}-7&transactionId=${prefix}-70`,
      'messages context': `/v1/messages?contextKeys=tenant:acme`,
      'messages context none': `/v1/messages?contextKeys=`,
      feed: `/v1/subscribers/${prefix}-9/notifications/feed`,
      'feed unread': `/v1/subscribers/${prefix}-9/notifications/feed?read=false`,
      events: '/v1/notifications',
      'events 50': '/v1/notifications?limit=50',
      'events p100': '/v1/notifications?page=100',
      'events channels': '/v1/notifications?channels=email',
      'events chat(rare)': '/v1/notifications?channels=chat',
      'events push(none)': '/v1/notifications?channels=push',
      'events subscriber': `/v1/notifications?subscriberIds=${prefix}-7`,
      'events 3 subscribers': `/v1/notifications?subscriberIds=${prefix}-7&subscriberIds=${prefix}-8&subscriberIds=${prefix}-9`,
      'events email': `/v1/notifications?emails=${prefix}-7@example.com`,
      'events search rare': `/v1/notifications?search=${prefix}-77@`,
      'events search wide': `/v1/notifications?search=example`,
      'events template': `/v1/notifications?templates=${workflow.id}`,
      'events severity': `/v1/notifications?severity=high`,
      'events severities': `/v1/notifications?severity=high&severity=medium`,
      'events tx': `/v1/notifications?transactionId=${prefix}-7`,
      'events topic': `/v1/notifications?topicKey=rare`,
      'events context': `/v1/notifications?contextKeys=tenant:acme`,
      'events after': `/v1/notifications?after=${new Date(now - 8 * DAY).toISOString()}&before=${new Date(now - 7 * DAY).toISOString()}`,
      event: `/v1/notifications/${one}`,
    };
    for (const [name, path] of Object.entries(queries)) {
      const times: number[] = [];
      const first = performance.now();
      const r = await gateway.call('GET', path);
      const firstMs = performance.now() - first;
      if (r.status !== 200) console.log(name, r.status, r.text.slice(0, 200));
      for (let i = 0; i < 60; i += 1) {
        const started = performance.now();
        await gateway.call('GET', path);
        times.push(performance.now() - started);
        if (times.reduce((a, b) => a + b, 0) > 8000) break;
      }
      times.sort((a, b) => a - b);
      (results[name] ??= []).push(
        +times[Math.floor(times.length * 0.5)]!.toFixed(1),
        +times[Math.floor(times.length * 0.95)]!.toFixed(1),
        +firstMs.toFixed(0),
      );
    }
  };
  await grow(10_000, 1_000);
  const [s] = await database.query<{ id: string }>(`SELECT id FROM subscriber LIMIT 1`);
  const [n] = await insertNotifications(
    database,
    [1, 2, 3].map((i) => ({
      environmentId,
      subscriberId: s!.id,
      workflowId: workflow.id,
      createdAt: new Date(now - 6 * DAY - i),
      channels: ['chat'],
      topicKeys: ['rare'],
      contextKeys: ['tenant:acme'],
      severity: 'high' as const,
    })),
  );
  const one = n!.id;
  await insertMessages(
    database,
    [1, 2, 3].map((i) => ({
      environmentId,
      subscriberId: s!.id,
      createdAt: new Date(now - 6 * DAY - i),
      channel: 'chat' as const,
      contextKeys: ['tenant:acme'],
    })),
  );
  await grow(1, 1);
  await measure();
  await grow(Number(process.env['GROW'] ?? 300_000), Number(process.env['SUBS'] ?? 100_000));
  await measure();
  console.log(
    Object.entries(results)
      .map(
        ([k, v]) =>
          `${k.padEnd(24)} small p50 ${v[0]} p95 ${v[1]} (first ${v[2]})   large p50 ${v[3]} p95 ${v[4]} (first ${v[5]})  ratio ${(v[4]! / v[1]!).toFixed(2)}`,
      )
      .join('\n'),
  );
  await gateway.app.close();
  process.stdout.write('done\n');
});
