import { basic } from '../call';
import { testProviderContract } from '../../test/contract';
import { maqsam } from './maqsam.provider';

describe('Maqsam', () => {
  const rig = testProviderContract(maqsam, {
    credentials: { from: 'Clarion' },
    success: { json: { result: 'success', message: { identifier: 'MQ1', timestamp: 1767268800 } } },
    id: 'MQ1',
  });

  it('posts a message as JSON with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'MQ1', date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v2/sms' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('canary-api-key', 'canary-secret-key'),
      'content-type': 'application/json',
    });
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({ to: '+15551234567', message: 'hi', sender: 'Clarion' });
  });

  it('uses the sender of the message and sends any text', async () => {
    await rig.send({ from: 'Other', content: 'مرحبا 👋' });
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({ to: '+15551234567', message: 'مرحبا 👋', sender: 'Other' });
  });

  it('warns about every override and ignores it', async () => {
    expect(await rig.send({}, { colour: 'red' })).toMatchObject({ warnings: [expect.stringContaining('colour')] });
    expect(JSON.parse(rig.calls[0]!.body)).not.toHaveProperty('colour');
  });

  it.each([
    [{ message: 'no' }, 'no'],
    [{ error: 'no' }, 'no'],
    [{ errors: ['no'] }, 'no'],
  ])('reports the error text of %j', async (json, message) => {
    expect(await rig.answering({ status: 422, json })).toMatchObject({ ok: false, kind: 'permanent', message });
  });

  it('reports an unknown outcome for a 200 without an id unless it has an error text', async () => {
    const json = { message: { timestamp: 1767268800 } };
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
    const refusal = { ok: false, kind: 'permanent', message: 'Invalid sender' };
    expect(await rig.answering({ json: { message: 'Invalid sender' } })).toMatchObject(refusal);
  });
});
