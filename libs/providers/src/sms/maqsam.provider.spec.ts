import { basic } from '../call';
import { keepsTheContract } from '../../test/contract';
import { maqsam } from './maqsam.provider';

const rig = keepsTheContract(maqsam, {
  credentials: { from: 'Clarion' },
  success: { json: { result: 'success', message: { identifier: 'MQ1', timestamp: 1767268800 } } },
  id: 'MQ1',
});

it('posts JSON', async () => {
  expect(await rig.send()).toMatchObject({ ok: true, id: 'MQ1', date: new Date('2026-01-01T12:00:00Z') });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v2/sms' });
  expect(rig.calls[0]!.headers).toMatchObject({
    authorization: basic('canary-api-key', 'canary-secret-key'),
    'content-type': 'application/json',
  });
  expect(JSON.parse(rig.calls[0]!.body)).toEqual({ to: '+15551234567', message: 'hi', sender: 'Clarion' });
});

it('takes a sender and any text', async () => {
  await rig.send({ from: 'Other', content: 'مرحبا 👋' });
  expect(JSON.parse(rig.calls[0]!.body)).toEqual({ to: '+15551234567', message: 'مرحبا 👋', sender: 'Other' });
});

it('knows no overrides', async () => {
  expect(await rig.send({}, { colour: 'red' })).toMatchObject({ warnings: [expect.stringContaining('colour')] });
  expect(JSON.parse(rig.calls[0]!.body)).not.toHaveProperty('colour');
});

it.each([
  [{ message: 'no' }, 'no'],
  [{ error: 'no' }, 'no'],
  [{ errors: ['no'] }, 'no'],
])('tells what %j says', async (json, message) => {
  expect(await rig.answering({ status: 422, json })).toMatchObject({ ok: false, kind: 'permanent', message });
});

it('is not sure of a 200 without an id, unless it says what is wrong', async () => {
  const json = { message: { timestamp: 1767268800 } };
  expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  const refusal = { ok: false, kind: 'permanent', message: 'Invalid sender' };
  expect(await rig.answering({ json: { message: 'Invalid sender' } })).toMatchObject(refusal);
});
