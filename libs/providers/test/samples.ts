import { generateKeyPairSync } from 'node:crypto';
import type { CredentialsDto, ProviderId } from '@clarion/contracts';
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

/** Long enough for providers with a minimum length. */
export const LONG_PUSH: PushMessage = { ...PUSH, title: 'A title of some length', content: 'text '.repeat(20) };

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

/** Enough for every provider. Each secret is a canary that must not appear in a result. */
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

const { privateKey: ellipticKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const COMPLETE: CredentialsDto = {
  ...CREDENTIALS,
  accessKey: 'endpoint=https://acs.example.com/;accesskey=a2V5',
  apiToken: 'canary-api-token',
  appSid: 'canary-app-sid',
  authenticateByToken: true,
  authenticationTokenKey: 'x-token',
  domain: 'https://token.example.com/token',
  host: 'gateway.example.com',
  channelId: 'channel-1@sms.eazy.im',
  clientId: 'client-1',
  messageProfileId: 'profile-1',
  projectName: 'TEAM123456',
  senderId: 'Sender',
  instanceId: '0a1b2c3d-0000-4000-8000-000000000001',
  phoneNumberIdentification: '106540352242922',
  port: '587',
  region: 'us-east-1',
};
const OWN: Readonly<Partial<Record<ProviderId, CredentialsDto>>> = {
  apns: { secretKey: ellipticKey },
  getstream: { baseUrl: 'https://chat.example.com' },
  'rocket-chat': { baseUrl: 'https://chat.example.com' },
  sinch: { region: 'us' },
  termii: { baseUrl: '' },
};
/** All credentials that any provider may need, in the format that this provider expects. */
export const completeCredentials = (id: ProviderId): CredentialsDto => ({ ...COMPLETE, ...OWN[id] });
