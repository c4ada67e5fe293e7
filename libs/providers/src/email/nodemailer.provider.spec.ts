import { keepsTheSmtpContract } from '../../test/smtp-contract';
import { nodemailer } from './nodemailer.provider';

const rig = keepsTheSmtpContract(nodemailer, {
  host: 'smtp.example.com',
  port: '587',
  user: 'me',
  password: 'canary-password',
  from: 'sender@example.com',
  senderName: 'Sender',
});

it('logs in', async () => {
  await rig.send();
  expect(rig.mails[0]).toMatchObject({ from: 'sender@example.com', to: ['bob@example.com'], user: 'me' });
});

it('logs in nowhere without a password', async () => {
  await rig.send({}, {}, { password: undefined });
  expect(rig.mails[0]).not.toHaveProperty('user');
});

it('hands over the server as it is set', async () => {
  const tls = { secure: true, requireTls: true, ignoreTls: false, tlsOptions: { minVersion: 'TLSv1.2' } };
  expect((await rig.handedOver(tls)).server).toEqual({
    host: 'smtp.example.com',
    port: 587,
    user: 'me',
    password: 'canary-password',
    ...tls,
  });
});

it('signs with DKIM once domain, key and selector are there', async () => {
  const dkim = { domain: 'example.com', secretKey: 'canary\\nkey', accountSid: 'selector' };
  expect((await rig.handedOver(dkim)).server.dkim).toEqual({
    domain: 'example.com',
    selector: 'selector',
    privateKey: 'canary\nkey',
  });
  for (const field of Object.keys(dkim)) {
    expect((await rig.handedOver({ ...dkim, [field]: undefined })).server).not.toHaveProperty('dkim');
  }
});
