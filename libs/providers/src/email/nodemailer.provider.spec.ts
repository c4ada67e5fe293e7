import { testSmtpProviderContract } from '../../test/smtp-contract';
import { nodemailer } from './nodemailer.provider';

describe('Custom SMTP', () => {
  const rig = testSmtpProviderContract(nodemailer, {
    host: 'smtp.example.com',
    port: '587',
    user: 'me',
    password: 'canary-password',
    from: 'sender@example.com',
    senderName: 'Sender',
  });

  it('logs in with the user and password', async () => {
    await rig.send();
    expect(rig.mails[0]).toMatchObject({ from: 'sender@example.com', to: ['bob@example.com'], user: 'me' });
  });

  it('does not log in without a password', async () => {
    await rig.send({}, {}, { password: undefined });
    expect(rig.mails[0]).not.toHaveProperty('user');
  });

  it('passes the server settings to the SMTP port', async () => {
    const tls = { secure: true, requireTls: true, ignoreTls: false, tlsOptions: { minVersion: 'TLSv1.2' } };
    expect((await rig.handedOver(tls)).server).toEqual({
      host: 'smtp.example.com',
      port: 587,
      user: 'me',
      password: 'canary-password',
      ...tls,
    });
  });

  it('signs with DKIM only when domain, key and selector are set', async () => {
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
});
