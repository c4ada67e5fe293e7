import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { SMS } from '../../test/samples';
import { checkCredentials } from '../credentials';
import { platformSms } from './platform-sms.provider';

describe('Clarion SMS', () => {
  let stage: ProviderStage;

  beforeAll(async () => {
    stage = await startProviderStage();
  });
  afterEach(() => stage.reset());
  afterAll(() => stage.close());

  it('stores a text message in the outbox and needs no credentials', async () => {
    expect(checkCredentials('platform-sms', {})).toEqual({ missing: [], invalid: [] });
    const result = await stage.send(platformSms, { ...SMS, from: 'Acme' }, {}, { validity: 5 });
    expect(result).toEqual({ ok: true, id: 'message-1', date: expect.any(Date) });
    expect(stage.fake.calls).toEqual([]);
    expect(stage.outbox).toEqual([
      {
        messageId: 'message-1',
        providerId: 'platform-sms',
        channel: 'sms',
        to: ['+15551234567'],
        text: 'hi',
        more: { from: 'Acme', overrides: { validity: 5 } },
      },
    ]);
  });

  it('stores several messages at once', async () => {
    const items = ['a', 'b'].map((id) => ({ message: { ...SMS, id }, overrides: {} }));
    expect(await platformSms.batch!.send(items, {}, stage.context('platform-sms'))).toMatchObject([
      { ok: true, id: 'a' },
      { ok: true, id: 'b' },
    ]);
    expect(stage.outbox.map(({ messageId, more }) => [messageId, more])).toEqual([
      ['a', {}],
      ['b', {}],
    ]);
  });
});
