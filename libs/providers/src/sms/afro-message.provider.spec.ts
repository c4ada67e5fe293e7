import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { afroMessage } from './afro-message.provider';

describe('AfroMessage', () => {
  const rig = testProviderContract(afroMessage, {
    credentials: { from: 'e80ad9d8-adf3-463f-80f4-7c4b39f7f164', senderName: 'Clarion' },
    success: {
      json: {
        acknowledge: 'success',
        response: { status: 'Send is in progress ...', message_id: 'a1-b2', message: 'hi', to: '+251911000000' },
      },
    },
    id: 'a1-b2',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the message and keeps it out of the URL', async () => {
    expect(await rig.send({ content: 'ሰላም' })).toMatchObject({ ok: true, id: 'a1-b2' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      from: 'e80ad9d8-adf3-463f-80f4-7c4b39f7f164',
      sender: 'Clarion',
      to: '+15551234567',
      message: 'ሰላም',
    });
  });

  it('always uses the sender id of the integration', async () => {
    await rig.send({ from: 'Other' });
    expect(json()).toMatchObject({ from: 'e80ad9d8-adf3-463f-80f4-7c4b39f7f164' });
  });

  it('applies the overrides template and callback', async () => {
    await rig.send({}, { template: 1, callback: 'https://x.example' });
    expect(json()).toMatchObject({ template: 1, callback: 'https://x.example' });
  });

  it('classifies an error in a 200 as permanent and reports its texts', async () => {
    const json = { acknowledge: 'error', response: { errors: ['Bad phone', 'Bad text'], relatedObject: 'x' } };
    expect(await rig.answering({ json })).toMatchObject({
      ok: false,
      kind: 'permanent',
      message: 'Bad phone; Bad text',
    });
  });

  it.each([{}, { errors: [{ code: 1 }] }])('classifies an error without a text as permanent: %j', async (response) => {
    expect(await rig.answering({ json: { acknowledge: 'error', response } })).toMatchObject({
      ok: false,
      kind: 'permanent',
    });
  });

  it.each([
    { acknowledge: 'success', response: { message_id: null } },
    { acknowledge: 'perhaps', response: { message_id: 'x' } },
  ])('reports an unknown outcome for a 200 with %j', async (json) => {
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('classifies a 401 with a text body as a credentials failure', async () => {
    expect(await rig.answering({ status: 401, text: 'Unauthorized' })).toMatchObject({ kind: 'credentials' });
  });
});
