import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { chatTo } from '../../test/samples';
import { checkCredentials } from '../credentials';
import { platformSlack } from './platform-slack.provider';

describe('Clarion Slack', () => {
  let stage: ProviderStage;

  beforeAll(async () => {
    stage = await startProviderStage();
  });
  afterEach(() => stage.reset());
  afterAll(() => stage.close());

  it('stores a message in the outbox and needs no webhook', async () => {
    expect(checkCredentials('platform-slack', {})).toEqual({ missing: [], invalid: [] });
    const result = await stage.send(platformSlack, { id: 'message-1', content: 'hi' }, {});
    expect(result).toEqual({ ok: true, id: 'message-1', date: expect.any(Date) });
    expect(stage.outbox).toEqual([
      { messageId: 'message-1', providerId: 'platform-slack', channel: 'chat', to: [], text: 'hi', more: {} },
    ]);
  });

  it('shows channel and blocks, and neither calls nor shows the webhook', async () => {
    const blocks = [{ type: 'divider' }];
    const message = { ...chatTo(`${stage.fake.url}/canary`), channel: '#general', blocks };
    expect(await stage.send(platformSlack, message, {})).toMatchObject({ ok: true });
    expect(stage.outbox).toMatchObject([{ to: ['#general'], more: { blocks } }]);
    expect(JSON.stringify(stage.outbox)).not.toContain('canary');
    expect(stage.fake.calls).toEqual([]);
  });

  it('stores several messages at once', async () => {
    const items = ['a', 'b'].map((id) => ({ message: { id, content: 'hi' }, overrides: {} }));
    const results = await platformSlack.batch!.send(items, {}, stage.context('platform-slack'));
    expect(results).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    expect(stage.outbox).toHaveLength(2);
  });
});
