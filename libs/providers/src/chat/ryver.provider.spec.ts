import type { JsonObject } from '@clarion/contracts';
import { keepsTheContract } from '../../test/contract';
import { ryver } from './ryver.provider';

const rig = keepsTheContract(ryver, {
  success: { json: {} },
  id: 'message-1',
  isTakenByStatus: (body) => !body.startsWith('<'),
  kinds: { 401: 'recipient', 403: 'recipient' },
});
const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

it('posts the text under the name that is believed to be right', async () => {
  await rig.send({ content: 'Grüße 👋' });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
  expect(rig.calls[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(json()).toEqual({ body: 'Grüße 👋' });
});

it('lets the trigger say who it is from', async () => {
  const from = { displayName: 'Clarion', avatar: 'https://x.example/a.png' };
  await rig.send({ customData: { is_ephemeral: true } }, { create_source: from });
  expect(json()).toEqual({ body: 'hi', createSource: from, isEphemeral: true });
});

it('says what it cannot do', async () => {
  expect(await rig.send({ blocks: [{ a: 1 }], channel: 'ops' })).toMatchObject({
    ok: true,
    warnings: [expect.stringContaining('blocks'), expect.stringContaining('channel')],
  });
  expect(json()).toEqual({ body: 'hi' });
});

it.each([
  [404, 'recipient'],
  [410, 'dead-token'],
  [422, 'permanent'],
])('understands a %d', async (status, kind) => {
  expect(await rig.answering({ status, json: { message: 'no' } })).toMatchObject({ ok: false, kind, message: 'no' });
});
