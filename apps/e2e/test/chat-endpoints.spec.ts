import type { ChannelConnectionDto, NotificationDto } from '@clarion/contracts';
import { type Clarion, historyOf, startClarion } from './harness';

const TOKEN_PATH = '/api/oauth.v2.access';
const POST_PATH = '/api/chat.postMessage';

describe('chat step with channel endpoints', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'chat'] });
    await clarion.integration('slack', 'chat', { identifier: 'slack' });
    await clarion.workflow('chat', [{ type: 'chat', controlValues: { body: 'Hi {{payload.name}}' } }]);
  });
  afterAll(() => clarion.close());
  beforeEach(() => {
    clarion.provider.reset();
    clarion.provider.always(POST_PATH, { json: { ok: true, ts: '1.1' } });
  });

  const subscriber = (subscriberId: string) => clarion.callOk('POST', '/v2/subscribers', { subscriberId });
  const connect = (identifier: string, auth: object, more: object = {}) =>
    clarion.callOk('POST', '/v1/channel-connections', {
      identifier,
      integrationIdentifier: 'slack',
      workspace: { id: 'T1' },
      auth,
      ...more,
    });
  const endpoint = (subscriberId: string, channelId: string, more: object = {}) =>
    clarion.callOk('POST', '/v1/channel-endpoints', {
      identifier: `${subscriberId}-${channelId}`,
      integrationIdentifier: 'slack',
      subscriberId,
      type: 'slack_channel',
      endpoint: { channelId },
      ...more,
    });
  const run = (subscriberId: string, more: object = {}): Promise<NotificationDto> =>
    clarion.run('chat', subscriberId, { payload: { name: 'A' }, ...more });
  const posts = (): unknown[] =>
    clarion.provider.calls
      .filter(({ path }) => path === POST_PATH)
      .map(({ headers, body }) => [
        headers.authorization,
        (JSON.parse(body) as { channel: string; text: string }).channel,
      ]);
  const refreshes = () => clarion.provider.calls.filter(({ path }) => path === TOKEN_PATH);
  const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

  it('sends one message to each endpoint whose contexts are those of the notification', async () => {
    await subscriber('ada');
    await connect('acme', { accessToken: 'xoxb-acme' }, { connectionMode: 'shared' });
    await connect('red', { accessToken: 'xoxb-red' }, { connectionMode: 'shared', context: { team: 'red' } });
    await endpoint('ada', 'C1');
    await endpoint('ada', 'U1', { type: 'slack_user', endpoint: { userId: 'U1' }, connectionIdentifier: 'acme' });
    await endpoint('ada', 'C2', { context: { team: 'red' } });
    const notification = await run('ada');
    expect(posts().sort()).toEqual([
      ['Bearer xoxb-acme', 'C1'],
      ['Bearer xoxb-acme', 'U1'],
    ]);
    const lines = ['Pending: Slack provider was selected', 'Pending: Message created', 'Success: Message sent'];
    const [state, queued, ...history] = historyOf(notification)[0]!;
    expect([state, queued]).toEqual(['chat completed', 'Pending: Step queued']);
    expect(history.toSorted()).toEqual([...lines, ...lines].toSorted());
    const created = notification.jobs![0]!.executionDetails.filter(({ detail }) => detail === 'Message created');
    expect(created.map(({ raw }) => JSON.parse(raw!) as unknown)).toEqual([
      { endpoint: 'ada-C1' },
      { endpoint: 'ada-U1' },
    ]);

    clarion.provider.reset();
    clarion.provider.always(POST_PATH, { json: { ok: true, ts: '1.1' } });
    await run('ada', { context: { team: 'red' } });
    expect(posts()).toEqual([['Bearer xoxb-red', 'C2']]);
  });

  it('fails the message of an endpoint with the words of Slack and sends the others', async () => {
    clarion.provider.always(POST_PATH, (call) =>
      call.body.includes('"C1"')
        ? { json: { ok: false, error: 'channel_not_found' } }
        : { json: { ok: true, ts: '1.2' } },
    );
    const notification = await run('ada');
    const [history] = historyOf(notification);
    expect(history![0]).toBe('chat completed');
    const failed = notification.jobs![0]!.executionDetails.find(({ status }) => status === 'Failed');
    expect(JSON.parse(failed!.raw!)).toMatchObject({
      kind: 'recipient',
      endpoint: 'ada-C1',
      message: 'Slack answered: channel_not_found',
    });
  });

  it('renews a token before it expires and after Slack rejects it, and stores the next one', async () => {
    await subscriber('bob');
    await connect(
      'bobs',
      { accessToken: 'old-1', refreshToken: 'r-1', expiresAt: soon(60_000) },
      { subscriberId: 'bob' },
    );
    await endpoint('bob', 'C1');
    clarion.provider.next(TOKEN_PATH, {
      json: { ok: true, access_token: 'new-2', refresh_token: 'r-2', expires_in: 43_200 },
    });
    await run('bob');
    expect(posts()).toEqual([['Bearer new-2', 'C1']]);
    expect(refreshes().map(({ body }) => new URLSearchParams(body).get('refresh_token'))).toEqual(['r-1']);

    clarion.provider.next(POST_PATH, { json: { ok: false, error: 'token_expired' } });
    clarion.provider.next(TOKEN_PATH, { json: { ok: true, access_token: 'new-3', refresh_token: 'r-3' } });
    await run('bob');
    expect(posts().slice(1)).toEqual([
      ['Bearer new-2', 'C1'],
      ['Bearer new-3', 'C1'],
    ]);
    const stored = await clarion.callOk<ChannelConnectionDto>('GET', '/v1/channel-connections/bobs');
    expect(stored.auth).toEqual({ accessToken: 'new-3', refreshToken: 'r-3' });
  });

  it('renews a token once although several workers need it at the same time', async () => {
    await clarion.start('chat', 'chat');
    const auth = { accessToken: 'old', refreshToken: 'r-9', expiresAt: soon(1_000) };
    await connect('busy', auth, { connectionMode: 'shared', context: { team: 'busy' } });
    const subscriberIds = Array.from({ length: 20 }, (_, index) => `busy-${index}`);
    for (const subscriberId of subscriberIds) {
      await subscriber(subscriberId);
      await endpoint(subscriberId, 'C1', { context: { team: 'busy' } });
    }
    clarion.provider.always(TOKEN_PATH, {
      delayMs: 300,
      json: { ok: true, access_token: 'fresh', refresh_token: 'r-10', expires_in: 43_200 },
    });
    const notifications = await Promise.all(
      subscriberIds.map((subscriberId) => run(subscriberId, { context: { team: 'busy' } })),
    );
    expect(notifications.map(({ jobs }) => jobs![0]!.status)).toEqual(subscriberIds.map(() => 'completed'));
    expect(refreshes()).toHaveLength(1);
    expect(new Set(posts().map((post) => (post as string[])[0]))).toEqual(new Set(['Bearer fresh']));
  });

  it('fails the step when the token cannot be renewed, and the integration stays healthy', async () => {
    await subscriber('eve');
    await connect(
      'eves',
      { accessToken: 'old', refreshToken: 'xoxe-spent', expiresAt: soon(0) },
      { subscriberId: 'eve' },
    );
    await endpoint('eve', 'C1');
    clarion.provider.always(TOKEN_PATH, { json: { ok: false, error: 'invalid_refresh_token' } });
    const notification = await run('eve');
    const details = notification.jobs![0]!.executionDetails;
    expect(details.map(({ raw }) => raw).join()).toContain('Slack answered: invalid_refresh_token');
    expect(posts()).toEqual([]);
    const [integration] = await clarion.callOk<{ health?: unknown; identifier: string }[]>('GET', '/v1/integrations');
    expect(integration!.health).toBeUndefined();
  });

  it('writes to a person in Microsoft Teams with the token of the bot', async () => {
    await clarion.integration('msteams', 'chat', {
      identifier: 'msteams',
      credentials: { clientId: 'bot-1', secretKey: 'secret', tenantId: 'home' },
    });
    await subscriber('tom');
    const party = { integrationIdentifier: 'msteams', subscriberId: 'tom' };
    await clarion.callOk('POST', '/v1/channel-connections', {
      ...party,
      workspace: { id: 'tenant-1' },
      auth: { accessToken: 'unknown' },
    });
    await clarion.callOk('POST', '/v1/channel-endpoints', {
      ...party,
      type: 'ms_teams_user',
      endpoint: { userId: 'user-1' },
    });
    clarion.provider.always(/conversations$/, { status: 201, json: { id: 'a:1' } });
    clarion.provider.next(/conversations$/, { status: 401, json: { error: { message: 'expired' } } });
    clarion.provider.always(/activities$/, { status: 201, json: { id: 'm-1' } });
    clarion.provider.always('/home/oauth2/v2.0/token', { json: { access_token: 'bot-token', expires_in: 3_600 } });
    const notification = await run('tom');
    expect(historyOf(notification)[0]![0]).toBe('chat completed');
    const activity = clarion.provider.calls.find(({ path }) => path.endsWith('/activities'))!;
    expect(activity.headers.authorization).toBe('Bearer bot-token');
    expect(JSON.parse(activity.body)).toEqual({ type: 'message', text: 'Hi A' });
  });
});
