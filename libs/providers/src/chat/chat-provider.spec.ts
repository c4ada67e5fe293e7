import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { chatTo, CREDENTIALS } from '../../test/samples';
import { type Provider } from '../provider';
import { PROVIDERS } from '../registry';

/** These reach a subscriber without a webhook. */
const WITHOUT_WEBHOOK = ['whatsapp-business', 'platform-slack', 'telegram'];
const BY_WEBHOOK = PROVIDERS.chat
  .filter(({ id }) => !WITHOUT_WEBHOOK.includes(id))
  .map((provider): [string, Provider<'chat'>] => [provider.id, provider]);

let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

describe.each(BY_WEBHOOK)('webhookChatProvider %s', (_, provider) => {
  it('rejects a message to a subscriber without a valid webhook URL', async () => {
    for (const webhookUrl of [undefined, '', 'no url']) {
      const message = { ...chatTo(''), webhookUrl, channel: 'room' };
      expect(await stage.send(provider, message, CREDENTIALS)).toMatchObject({ ok: false, kind: 'recipient' });
    }
    expect(stage.fake.count).toBe(0);
  });

  it("does not apply the operator's URL for the provider to the webhook of a subscriber", async () => {
    const message = { ...chatTo('https://10.0.0.1/services/canary'), channel: 'room' };
    const result = await stage.send(provider, message, { ...CREDENTIALS, baseUrl: 'https://10.0.0.1' });
    expect(result).toMatchObject({ ok: false, kind: 'permanent', message: expect.stringContaining('guard') as string });
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(stage.fake.count).toBe(0);
  });
});
