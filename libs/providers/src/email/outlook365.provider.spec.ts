import { testSmtpProviderContract } from '../../test/smtp-contract';
import { outlook365 } from './outlook365.provider';

describe('Outlook 365', () => {
  const rig = testSmtpProviderContract(outlook365, {
    password: 'canary-password',
    from: 'sender@example.com',
    senderName: 'Sender',
  });

  it('always uses the server of Microsoft with TLS', async () => {
    expect((await rig.handedOver()).server).toEqual({
      host: 'smtp.office365.com',
      port: 587,
      requireTls: true,
      user: 'sender@example.com',
      password: 'canary-password',
    });
    // Other credentials do not change the server.
    const elsewhere = { host: 'smtp.example.com', port: '25', ignoreTls: true, tlsOptions: { ciphers: 'NULL' } };
    expect((await rig.handedOver(elsewhere)).server).toEqual((await rig.handedOver()).server);
  });

  it('logs in as the sender of the integration or as another user', async () => {
    await rig.send();
    await rig.send({ from: 'shared@example.com' });
    await rig.send({}, {}, { user: 'me@example.com' });
    expect(rig.mails.map(({ user, from }) => [user, from])).toEqual([
      ['sender@example.com', 'sender@example.com'],
      ['sender@example.com', 'shared@example.com'],
      ['me@example.com', 'sender@example.com'],
    ]);
  });

  it.each([
    [550, '5.7.60 SMTP; Client does not have permissions to send as this sender'],
    [554, '5.2.252 SendAsDenied; me@example.com not allowed to send as you@example.com'],
    [554, '5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied'],
  ])('classifies a sender that the login may not use, %d %s, as a credentials failure', async (code, text) => {
    rig.stage.smtp.rejectNext('data', code, text);
    expect(await rig.send()).toMatchObject({ ok: false, kind: 'credentials', status: code });
  });

  it('classifies too many connections as transient', async () => {
    rig.stage.smtp.rejectNext('auth', 432, '4.3.2 Concurrent connections limit exceeded');
    expect(await rig.send({}, {}, { user: 'busy@example.com' })).toMatchObject({ ok: false, kind: 'transient' });
  });
});
