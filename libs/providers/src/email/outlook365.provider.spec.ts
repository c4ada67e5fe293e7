import { keepsTheSmtpContract } from '../../test/smtp-contract';
import { outlook365 } from './outlook365.provider';

const rig = keepsTheSmtpContract(outlook365, {
  password: 'canary-password',
  from: 'sender@example.com',
  senderName: 'Sender',
});

it('calls the server of Microsoft, never without TLS', async () => {
  expect((await rig.handedOver()).server).toEqual({
    host: 'smtp.office365.com',
    port: 587,
    requireTls: true,
    user: 'sender@example.com',
    password: 'canary-password',
  });
  // Whatever else the credentials hold, this one does not move.
  const elsewhere = { host: 'smtp.example.com', port: '25', ignoreTls: true, tlsOptions: { ciphers: 'NULL' } };
  expect((await rig.handedOver(elsewhere)).server).toEqual((await rig.handedOver()).server);
});

it('logs in by the name of the sender, or by another', async () => {
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
])('takes a sender that the login may not use, %d %s, for a fault of the credentials', async (code, text) => {
  rig.stage.smtp.rejectNext('data', code, text);
  expect(await rig.send()).toMatchObject({ ok: false, kind: 'credentials', status: code });
});

it('waits when there are too many connections', async () => {
  rig.stage.smtp.rejectNext('auth', 432, '4.3.2 Concurrent connections limit exceeded');
  expect(await rig.send({}, {}, { user: 'busy@example.com' })).toMatchObject({ ok: false, kind: 'transient' });
});
