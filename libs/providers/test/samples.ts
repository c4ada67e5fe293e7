import { generateKeyPairSync } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import type { ChatMessage, EmailMessage, PushMessage, SmsMessage } from '@clarion/providers';

export const EMAIL: EmailMessage = {
  id: 'message-1',
  to: ['bob@example.com'],
  subject: 'Hello',
  html: '<p>hi</p>',
};

export const FULL_EMAIL: EmailMessage = {
  id: 'message-2',
  to: ['bob@example.com', 'BOB@example.com'],
  from: 'ann@example.com',
  senderName: 'Ann "Boss" Ü',
  cc: ['cc@example.com', 'bob@example.com'],
  bcc: ['bcc@example.com'],
  replyTo: 'reply@example.com',
  subject: 'Grüße',
  html: '<p>hi</p>',
  text: 'hi',
  headers: { 'X-Campaign': 'spring' },
  attachments: [
    { name: 'a.txt', mime: 'text/plain', file: Buffer.from('content') },
    { name: 'b.png', mime: 'image/png', file: Buffer.from([1, 2, 3]), cid: 'logo', disposition: 'inline' },
  ],
};

export const SMS: SmsMessage = { id: 'message-1', to: '+1 (555) 123-4567', content: 'hi' };

export const chatTo = (webhookUrl: string): ChatMessage => ({ id: 'message-1', content: 'hi', webhookUrl });

export const PUSH: PushMessage = {
  id: 'message-1',
  token: 'device-token-1',
  title: 'Hello',
  content: 'hi',
  payload: { order: 7, nested: { a: true } },
  subscriber: { subscriberId: 'bob' },
  step: { digest: false },
};

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export const SERVICE_ACCOUNT = JSON.stringify({
  project_id: 'my project',
  client_email: 'robot@example.com',
  private_key: privateKey,
  token_uri: 'http://169.254.169.254/',
});

/** Enough for every provider, each secret a canary that must not come back. */
export const CREDENTIALS: CredentialsDto = {
  apiKey: 'canary-api-key',
  secretKey: 'canary-secret-key',
  token: 'canary-token',
  password: 'canary-password',
  accountSid: 'AC1',
  user: 'api',
  domain: 'mg.example.com',
  from: 'sender@example.com',
  senderName: 'Sender',
  baseUrl: 'https://generic.example.com/send',
  idPath: 'id',
  apiKeyRequestHeader: 'x-key',
  applicationId: 'app-1',
  webhookUrl: 'https://hooks.example.com/canary-hook',
  serviceAccount: SERVICE_ACCOUNT,
};
