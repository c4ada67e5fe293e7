import { createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type HttpRequest } from '@clarion/contracts/core';
import { type InboundCall, type InboundContext } from '@clarion/providers';
import { eventsOf, inbound, inboundContext, verdictOf } from '../../test/contract';
import { ses } from './ses.provider';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A minimal self-signed certificate (X.509 version 1). */
function certificate(key: KeyObject, signer: KeyObject, from = '250101000000Z', to = '270101000000Z'): string {
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    const { length } = content;
    const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
    return Buffer.concat([Buffer.from([tag, ...size]), content]);
  };
  const algorithm = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'));
  const common = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('sns.amazonaws.com')));
  const name = der(0x30, der(0x31, common));
  const validity = der(0x30, der(0x17, Buffer.from(from)), der(0x17, Buffer.from(to)));
  const body = der(
    0x30,
    Buffer.from('020101', 'hex'),
    algorithm,
    name,
    validity,
    name,
    key.export({ type: 'spki', format: 'der' }),
  );
  const whole = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), sign('sha256', body, signer)));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

let certificates = 0;
/** Certificates are cached, so each case that needs another one gets its own URL. */
const nextCertificate = (): string =>
  `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${(certificates += 1)}.pem`;
const USUAL = nextCertificate();

const SIGNED_OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const SIGNED_OF_CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

type Envelope = Record<string, string | undefined>;

function signed(over: Envelope = {}, key: KeyObject = privateKey): Envelope {
  const envelope: Envelope = {
    Type: 'Notification',
    MessageId: 'sns-1',
    TopicArn: TOPIC,
    Message: '{}',
    Timestamp: '2026-01-01T11:59:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: USUAL,
    ...over,
  };
  const names = envelope['Type'] === 'Notification' ? SIGNED_OF_NOTIFICATION : SIGNED_OF_CONFIRMATION;
  const text = names.flatMap((name) => (envelope[name] === undefined ? [] : [`${name}\n${envelope[name]}\n`])).join('');
  const digest = envelope['SignatureVersion'] === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
  return { ...envelope, Signature: createSign(digest).update(text).sign(key, 'base64') };
}

const asked: HttpRequest[] = [];
const contextWith = (
  answer: { status: number; body: string } = { status: 200, body: certificate(publicKey, privateKey) },
  signingKey: string | undefined = TOPIC,
): InboundContext => ({
  ...inboundContext(signingKey),
  http: {
    addressOf: (url) => url,
    request: (request) => {
      asked.push(request);
      return Promise.resolve({ status: answer.status, headers: {}, body: Buffer.from(answer.body) });
    },
  },
});
const verdict = (envelope: Envelope, context = contextWith(), over: Partial<InboundCall> = {}): Promise<boolean> =>
  verdictOf(ses, inbound(envelope, over), context);

beforeEach(() => asked.splice(0));

describe('verification of SNS messages of Amazon SES', () => {
  it.each(['1', '2'])('accepts a message with a valid signature of version %s', async (SignatureVersion) => {
    const SigningCertURL = nextCertificate();
    expect(await verdict(signed({ SignatureVersion, SigningCertURL, Subject: 'mail' }))).toBe(true);
    expect(asked).toEqual([{ method: 'GET', url: SigningCertURL, origin: 'provider' }]);
  });

  it('downloads a certificate once', async () => {
    const SigningCertURL = nextCertificate();
    await Promise.all([1, 2, 3].map(() => verdict(signed({ SigningCertURL }))));
    expect(await verdict(signed({ SigningCertURL }))).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Envelope]>([
    ['another message', { Message: '{"eventType":"Bounce"}' }],
    ['another timestamp', { Timestamp: '2026-01-01T12:00:00.000Z' }],
    ['another id', { MessageId: 'sns-2' }],
    ['an added subject', { Subject: 'x' }],
    ['another version', { SignatureVersion: '1' }],
    ['an unknown signature version', { SignatureVersion: '3' }],
    ['no signature', { Signature: undefined }],
    ['another type', { Type: 'SubscriptionConfirmation' }],
    ['an unknown type', { Type: 'constructor' }],
  ])('rejects a signed message that was altered to have %s', async (_, change) => {
    expect(await verdict(signed())).toBe(true);
    expect(await verdict({ ...signed(), ...change })).toBe(false);
  });

  it('rejects a message that was signed with another key', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await verdict(signed({}, other.privateKey))).toBe(false);
  });

  it.each([
    ['2026-01-01T05:56:00.000Z', true],
    ['2026-01-01T05:54:00.000Z', false],
    ['2026-01-02T12:00:00.000Z', false],
    ['yesterday', false],
  ])('accepts a message with the timestamp %s: %p', async (Timestamp, isGenuine) => {
    expect(await verdict(signed({ Timestamp }))).toBe(isGenuine);
  });

  it.each([
    ['http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-9.pem'],
    ['https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-9.pem'],
    ['https://evil.example/SimpleNotificationService-9.pem'],
    ['https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-9.pem'],
    ['https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-9.pem'],
    ['https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-9.pem'],
    ['https://sns.eu-west-1.amazonaws.com/other/SimpleNotificationService-9.pem'],
    ['https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription'],
    ['https://sns.eu-west-1.amazonaws.com/key.txt'],
    ['https://sns.x.amazonaws.com/SimpleNotificationService-9.pem'],
    ['no address'],
    [''],
  ])('does not download a certificate from %p', async (SigningCertURL) => {
    expect(await verdict(signed({ SigningCertURL }))).toBe(false);
    expect(asked).toEqual([]);
  });

  it.each([
    'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-9.pem',
    'https://sns.eu-west-1.amazonaws.com/cert.pem',
  ])('accepts a certificate from %s', async (SigningCertURL) => {
    expect(await verdict(signed({ SigningCertURL }))).toBe(true);
  });

  it.each<[string, { status: number; body: string }]>([
    ['is missing', { status: 404, body: certificate(publicKey, privateKey) }],
    ['is an HTML page', { status: 200, body: '<html></html>' }],
    ['is malformed', { status: 200, body: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }],
    ['has expired', { status: 200, body: certificate(publicKey, privateKey, '240101000000Z', '250101000000Z') }],
    ['is not valid yet', { status: 200, body: certificate(publicKey, privateKey, '260601000000Z', '270101000000Z') }],
  ])('rejects a message when the certificate %s', async (_, answer) => {
    expect(await verdict(signed({ SigningCertURL: nextCertificate() }), contextWith(answer))).toBe(false);
  });

  it('rejects a message while the certificate cannot be downloaded and accepts it afterwards', async () => {
    const SigningCertURL = nextCertificate();
    const failing: InboundContext = {
      ...inboundContext(TOPIC),
      http: { addressOf: (url) => url, request: () => Promise.reject(new Error('connection refused')) },
    };
    expect(await verdict(signed({ SigningCertURL }), failing)).toBe(false);
    expect(await verdict(signed({ SigningCertURL }))).toBe(true);
  });

  it('rejects a message of another topic, because Amazon signs for every account', async () => {
    const TopicArn = 'arn:aws:sns:eu-west-1:999999999999:evil';
    expect(await verdict(signed({ TopicArn }))).toBe(false);
    expect(asked).toEqual([]);
  });

  it.each([undefined, '', 'right', 'arn:aws:sns', 'arn:aws:iam::123456789012:user/x'])(
    'rejects every message while the signing key is %p and explains what to set',
    async (signingKey) => {
      const context = { ...contextWith(), signingKey };
      const url = `https://clarion.example/hook?token=${signingKey}`;
      const envelope = signed({ TopicArn: signingKey || TOPIC });
      expect(await ses.events!.verify(inbound(envelope, { url }), context)).toEqual({
        ok: false,
        reason: expect.stringMatching(/ARN of the SNS topic.*configurations\.inboundWebhookSigningKey/) as string,
      });
      expect(asked).toEqual([]);
    },
  );

  it.each(['', 'no json', 'null', '[]', '"x"', '{"Type":5}', '{"Type":"Notification"}'])(
    'rejects the body %p and reads no event from it',
    async (text) => {
      expect(await verdictOf(ses, inbound(text), contextWith())).toBe(false);
      expect(eventsOf(ses, inbound(text))).toEqual([]);
      expect(await ses.events!.answer!(inbound(text), contextWith())).toBeUndefined();
    },
  );
});

describe('subscription confirmation of an SNS topic', () => {
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
  const question = (over: Envelope = {}): Envelope =>
    signed({ Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL, ...over });
  const answerTo = (envelope: Envelope, context: InboundContext) => ses.events!.answer!(inbound(envelope), context);

  it('confirms a subscription by calling the SubscribeURL', async () => {
    expect(await verdict(question())).toBe(true);
    asked.splice(0);
    expect(await answerTo(question(), contextWith({ status: 200, body: '<xml/>' }))).toEqual({ status: 200 });
    expect(asked).toEqual([{ method: 'GET', url: SubscribeURL, origin: 'provider' }]);
    expect(eventsOf(ses, inbound(question()))).toEqual([]);
  });

  it('answers 502 when the confirmation fails, so that SNS retries', async () => {
    expect(await answerTo(question(), contextWith({ status: 500, body: '' }))).toMatchObject({ status: 502 });
    const failing = {
      ...contextWith(),
      http: { addressOf: (url: string) => url, request: () => Promise.reject(new Error()) },
    };
    expect(await answerTo(question(), failing)).toMatchObject({ status: 502 });
  });

  it.each([
    'https://evil.example/',
    'http://169.254.169.254/latest',
    'https://sns.eu-west-1.amazonaws.com.evil.example/',
  ])('does not call the SubscribeURL %s', async (url) => {
    expect(await answerTo(question({ SubscribeURL: url }), contextWith())).toMatchObject({ status: 400 });
    expect(asked).toEqual([]);
  });

  it('returns the default response for other messages', async () => {
    expect(await answerTo(signed(), contextWith())).toBeUndefined();
    expect(await answerTo(signed({ Type: 'UnsubscribeConfirmation', SubscribeURL }), contextWith())).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('events of Amazon SES', () => {
  const MAIL = {
    timestamp: '2026-01-01T11:00:00.000Z',
    messageId: '0100-mail',
    destination: ['bob@example.com'],
    tags: { message_id: ['message-1'], 'ses:from-domain': ['example.com'] },
  };
  const events = (event: object, mail: object = MAIL) =>
    eventsOf(ses, inbound(signed({ Message: JSON.stringify({ mail, ...event }) })));
  const at = '2026-01-01T11:30:00.000Z';
  const common = {
    id: 'sns-1/bob@example.com',
    providerMessageId: '0100-mail',
    messageId: 'message-1',
    recipient: 'bob@example.com',
    at: new Date(at),
  };
  const bob = { emailAddress: 'bob@example.com' };

  it.each<[object, object]>([
    [
      { eventType: 'Send', send: {} },
      { kind: 'sent', at: new Date(MAIL.timestamp) },
    ],
    [{ eventType: 'Delivery', delivery: { timestamp: at, recipients: ['bob@example.com'] } }, { kind: 'delivered' }],
    [
      {
        eventType: 'DeliveryDelay',
        deliveryDelay: { timestamp: at, delayType: 'MailboxFull', delayedRecipients: [bob] },
      },
      { kind: 'deferred', reason: 'MailboxFull' },
    ],
    [
      {
        eventType: 'Bounce',
        bounce: {
          timestamp: at,
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [{ ...bob, diagnosticCode: 'smtp; 550 user unknown' }],
        },
      },
      { kind: 'bounced', isPermanent: true, reason: 'smtp; 550 user unknown' },
    ],
    [
      {
        notificationType: 'Bounce',
        bounce: { timestamp: at, bounceType: 'Transient', bounceSubType: 'MailboxFull', bouncedRecipients: [bob] },
      },
      { kind: 'bounced', reason: 'MailboxFull' },
    ],
    [
      {
        eventType: 'Complaint',
        complaint: { timestamp: at, complaintFeedbackType: 'abuse', complainedRecipients: [bob] },
      },
      { kind: 'complained', reason: 'abuse' },
    ],
    [
      { eventType: 'Reject', reject: { reason: 'Bad content' } },
      { kind: 'rejected', reason: 'Bad content', at: new Date(MAIL.timestamp) },
    ],
    [
      { eventType: 'RenderingFailure', failure: { errorMessage: 'no such field' } },
      { kind: 'failed', reason: 'no such field', at: new Date(MAIL.timestamp) },
    ],
    [
      { eventType: 'Rendering Failure', failure: { errorMessage: 'no such field' } },
      { kind: 'failed', reason: 'no such field', at: new Date(MAIL.timestamp) },
    ],
    [{ eventType: 'Open', open: { timestamp: at } }, { kind: 'opened' }],
    [{ eventType: 'Click', click: { timestamp: at, link: 'https://x.example' } }, { kind: 'clicked' }],
    [
      { eventType: 'Subscription', subscription: { timestamp: at, newTopicPreferences: { unsubscribeAll: true } } },
      { kind: 'unsubscribed' },
    ],
  ])('maps the event %j', (event, expected) => {
    expect(events(event)).toEqual([{ ...common, ...expected }]);
  });

  it('yields one event for each bounced recipient', () => {
    const bouncedRecipients = [bob, { emailAddress: 'ann@example.com' }];
    const bounce = { timestamp: at, bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients };
    expect(events({ eventType: 'Bounce', bounce }).map(({ id, recipient }) => [id, recipient])).toEqual([
      ['sns-1/bob@example.com', 'bob@example.com'],
      ['sns-1/ann@example.com', 'ann@example.com'],
    ]);
  });

  it.each([{}, { delivery: null }, { delivery: { recipients: 'bob' } }])(
    'takes the only recipient of the mail when the event names none: %j',
    (more) => {
      const expected = { ...common, kind: 'delivered', at: new Date(MAIL.timestamp) };
      expect(events({ eventType: 'Delivery', ...more })).toEqual([expected]);
      expect(events({ eventType: 'Delivery', ...more }, { messageId: '0100-mail' })).toEqual([
        { id: 'sns-1', kind: 'delivered', providerMessageId: '0100-mail' },
      ]);
    },
  );

  it('sets no recipient when a mail to several recipients is opened', () => {
    const mail = { ...MAIL, destination: ['bob@example.com', 'ann@example.com'], tags: undefined };
    expect(events({ eventType: 'Open', open: { timestamp: at } }, mail)).toEqual([
      { id: 'sns-1', kind: 'opened', providerMessageId: '0100-mail', at: new Date(at) },
    ]);
  });

  it.each<object>([
    { eventType: 'Received' },
    { eventType: 'constructor' },
    { eventType: 'Complaint', complaint: { complaintFeedbackType: 'not-spam', complainedRecipients: [bob] } },
    { eventType: 'Subscription', subscription: { newTopicPreferences: { unsubscribeAll: false } } },
    { eventType: 'Send', mail: null },
    { eventType: 'Send', mail: {} },
    {},
  ])('returns no event for %j', (event) => expect(events(event)).toEqual([]));

  it.each(['no json', '[]', 'Successfully validated SNS topic for Amazon SES event publishing.'])(
    'returns no event for the message %p',
    (Message) => expect(eventsOf(ses, inbound(signed({ Message })))).toEqual([]),
  );
});
