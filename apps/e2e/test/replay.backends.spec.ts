import type { BulkActionDto, IntegrationDto, NotificationDto, ReplayResultDto } from '@clarion/contracts';
import { allEnded, type Clarion, historyOf, startClarion } from './harness';

describe('replay', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email', 'in_app'] });
    await clarion.integration('sendgrid', 'email');
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  const replay = (body: object) => clarion.callOk<ReplayResultDto>('POST', '/v1/notifications/replay', body);
  const calls = () => clarion.provider.calls.filter(({ path }) => path === '/v3/mail/send');

  it('sends a failed email after the cause was fixed, and runs the steps behind it', async () => {
    await clarion.workflow('invoice', [
      { type: 'email', shouldStopOnFail: true, controlValues: { subject: 'Invoice', body: 'Pay {{payload.sum}}' } },
      { type: 'in_app', controlValues: { body: 'Invoice sent' } },
    ]);
    clarion.provider.always('/v3/mail/send', { status: 400, json: { errors: [{ message: 'no such template' }] } });
    const failed = await clarion.run('invoice', { subscriberId: 'ann', email: 'ann@x.test' }, { payload: { sum: 5 } });
    const SELECTED = ['Pending: SendGrid provider was selected', 'Pending: Message created'];
    const FAILED = ['Pending: Step queued', ...SELECTED, 'Failed: Unexpected provider error'];
    const CANCELED = 'Failed: Step was canceled because a previous step failed';
    expect(historyOf(failed)).toEqual([
      ['email failed', ...FAILED],
      ['in_app canceled', CANCELED],
    ]);
    const [before] = await clarion.messages(failed.transactionId);
    expect(before).toMatchObject({ status: 'error', channel: 'email' });

    clarion.provider.reset();
    const filter = { transactionId: [failed.transactionId] };
    expect(await replay(filter)).toMatchObject({ dryRun: true, matched: 1, notifications: 1, replayed: 0 });
    expect(calls()).toEqual([]);
    expect(await replay({ ...filter, dryRun: false })).toMatchObject({ dryRun: false, matched: 1, replayed: 1 });

    const [sent] = (await clarion.activity(failed.transactionId, allEnded())) as [NotificationDto];
    expect(historyOf(sent)).toEqual([
      ['email completed', ...FAILED, 'Pending: Step queued (retry)', ...SELECTED, 'Success: Message sent'],
      ['in_app completed', CANCELED, 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
    ]);
    expect(calls()).toHaveLength(1);
    const messages = await clarion.messages(failed.transactionId);
    // The message keeps its id, which is the idempotency key at the provider.
    expect(messages.map(({ _id, channel, status }) => [_id, channel, status])).toEqual([
      [before!._id, 'email', 'sent'],
      [expect.any(String), 'in_app', 'sent'],
    ]);

    expect(await replay({ ...filter, dryRun: false })).toMatchObject({ matched: 0, replayed: 0 });
    expect(calls()).toHaveLength(1);
  });

  it('sends through the integration that a replay names, and not through the one that the trigger names', async () => {
    const all = await clarion.callOk<IntegrationDto[]>('GET', '/v1/integrations');
    const main = all.find(({ providerId }) => providerId === 'sendgrid');
    await clarion.integration('resend', 'email', { name: 'Backup', identifier: 'backup' });
    await clarion.workflow('receipt', [{ type: 'email', controlValues: { subject: 'Receipt', body: 'Paid' } }]);
    clarion.provider.always('/v3/mail/send', { status: 400, json: { errors: [{ message: 'no such sender' }] } });
    const overrides = { email: { integrationIdentifier: main!.identifier } };
    const failed = await clarion.run('receipt', { subscriberId: 'ann', email: 'ann@x.test' }, { overrides });
    const endsOf = ({ jobs }: NotificationDto) => jobs!.map(({ status, providerId }) => [status, providerId]);
    expect(endsOf(failed)).toEqual([['failed', 'sendgrid']]);

    const planned = await clarion.callOk<BulkActionDto>('POST', '/v1/bulk-actions', {
      action: 'replay',
      ids: [failed._id],
    });
    const run = { count: 1, integrationIdentifier: 'backup' };
    const started = await clarion.callOk<BulkActionDto>('POST', `/v1/bulk-actions/${planned._id}/run`, run);
    expect(started).toMatchObject({ state: 'running', integrationIdentifier: 'backup' });
    const isSent = ([notification]: NotificationDto[]) => notification?.jobs?.[0]?.status === 'completed';
    const [sent] = await clarion.activity(failed.transactionId, isSent);
    expect(endsOf(sent!)).toEqual([['completed', 'resend']]);
    expect(calls()).toHaveLength(1);
  });
});
