import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { SMS } from '../../test/samples';
import { mobishastra } from './mobishastra.provider';

describe('Mobishastra', () => {
  const rig = testProviderContract(mobishastra, {
    credentials: { baseUrl: 'https://mshastra.com/sendsms_api_json.aspx', user: 'profile-1', from: 'Clarion' },
    success: { json: [{ msg_id: ' 123 ', number: '15551234567', str_response: 'Send Successful' }] },
    id: '123',
  });
  const json = (): JsonObject[] => JSON.parse(rig.calls[0]!.body) as JsonObject[];

  it('posts a list with one message', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: '123' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/sendsms_api_json.aspx' });
    expect(rig.calls[0]!.headers['content-type']).toBe('application/json');
    expect(json()).toEqual([
      { user: 'profile-1', pwd: 'canary-password', number: '+15551234567', msg: 'hi', Sender: 'Clarion' },
    ]);
  });

  it('calls the URL of the integration', async () => {
    const request = jest.fn(() => Promise.resolve({ status: 500, headers: {}, body: Buffer.alloc(0) }));
    const context = { ...rig.stage.context('mobishastra'), http: { request, addressOf: (url: string) => url } };
    await mobishastra.send(SMS, { baseUrl: 'https://saudi.mshastra.com/x.aspx' }, context);
    expect(request).toHaveBeenCalledWith(
      expect.objectContaining({ url: 'https://saudi.mshastra.com/x.aspx', origin: 'provider' }),
    );
  });

  it('sends text outside the GSM alphabet as Unicode', async () => {
    await rig.send({ content: 'مرحبا', from: 'Other' });
    expect(json()).toMatchObject([{ msg: 'مرحبا', language: 'Unicode', Sender: 'Other' }]);
  });

  it('adds overrides and a passthrough to the message', async () => {
    await rig.send({}, { language: 'English', _passthrough: { body: { priority: 'High' } } });
    expect(json()).toMatchObject([{ msg: 'hi', language: 'English', priority: 'High' }]);
  });

  it.each([
    ['Authorization failed', 'credentials'],
    ['Profile Blocked', 'credentials'],
    ['Sender Id more than 13 Chars', 'credentials'],
    ['No More Credits', 'quota'],
    ['Invalid Receiver', 'recipient'],
    ['DND Number', 'recipient'],
    ['Cannot Extract Country Code', 'recipient'],
    ['Invalid Message', 'content'],
    ['Server Error', 'transient'],
    ['Whatever', 'permanent'],
  ])('classifies a 200 with the text "%s" and no id as %s', async (text, kind) => {
    expect(await rig.answering({ json: [{ msg_id: ' ', str_response: text }] })).toMatchObject({
      ok: false,
      kind,
      message: text,
    });
    expect(await rig.answering({ json: [{ response: text }] })).toMatchObject({ ok: false, kind });
  });
});
