import { testSmtpProviderContract } from '../../test/smtp-contract';
import { emailjs } from './emailjs.provider';
import { nodemailer } from './nodemailer.provider';

describe('EmailJS', () => {
  const rig = testSmtpProviderContract(emailjs, {
    host: 'smtp.example.com',
    port: '465',
    user: 'me',
    password: 'canary-password',
    secure: true,
    from: 'sender@example.com',
    senderName: 'Sender',
  });

  it('uses the mail server of the tenant', async () => {
    expect((await rig.handedOver()).server).toMatchObject({
      host: 'smtp.example.com',
      port: 465,
      secure: true,
      user: 'me',
      password: 'canary-password',
    });
    expect(emailjs.required).toEqual(['host', 'port', 'from']);
    expect(emailjs.optional).toEqual(['senderName', ...nodemailer.optional]);
  });
});
