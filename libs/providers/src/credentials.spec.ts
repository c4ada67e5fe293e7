import { PROVIDER_IDS } from '@clarion/contracts/core';
import { describeProvider } from './catalogue';
import {
  CREDENTIAL_BOOLEAN_FIELDS,
  CREDENTIAL_OBJECT_FIELDS,
  CREDENTIAL_STRING_FIELDS,
  type CredentialField,
} from './credential-fields';
import { checkCredentials, type UncheckedCredentials } from './credentials';
import { type Requirement } from './provider';

const OK = { missing: [], invalid: [] };

const serviceAccount = {
  project_id: 'p',
  client_email: 'robot@p.example',
  private_key: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n',
};

const GENERIC_SMS = {
  baseUrl: 'https://sms.example/send',
  apiKeyRequestHeader: 'X-Api-Key',
  apiKey: 'k',
  idPath: 'data.id',
  from: 'Acme',
};

const SMTP = { host: 'smtp.example', port: '587', from: 'a@example.com', senderName: 'Acme' };

/** A value with a valid format for the field. */
function plausible(field: CredentialField): unknown {
  if ((CREDENTIAL_BOOLEAN_FIELDS as readonly string[]).includes(field)) return false;
  if ((CREDENTIAL_OBJECT_FIELDS as readonly string[]).includes(field)) return {};
  if (field === 'port') return '25';
  if (field === 'serviceAccount') return JSON.stringify(serviceAccount);
  if (/Header$|^authenticationTokenKey$/.test(field)) return 'X-Token';
  return /url$/i.test(field) ? 'https://api.example' : 'some text';
}

const fill = (fields: readonly CredentialField[]): UncheckedCredentials =>
  Object.fromEntries(fields.map((field) => [field, plausible(field)]));

/** Lists alternatives side by side. */
const fieldsOf = (required: readonly Requirement[]): CredentialField[] =>
  required.flatMap((requirement) => (typeof requirement === 'string' ? [requirement] : [...requirement]));

const faultsOf = (check: ReturnType<typeof checkCredentials>): string[] => check.invalid.map(({ field }) => field);

describe('checkCredentials', () => {
  it.each(PROVIDER_IDS)('accepts complete credentials of %s and reports each one that is removed', (id) => {
    const { required, optional } = describeProvider(id);
    expect(checkCredentials(id, fill([...fieldsOf(required), ...optional]))).toEqual(OK);
    for (const requirement of required) {
      const without = fill(fieldsOf(required.filter((other) => other !== requirement)));
      expect(checkCredentials(id, without)).toEqual({ missing: [fieldsOf([requirement]).join(' or ')], invalid: [] });
      for (const field of fieldsOf([requirement])) {
        expect(checkCredentials(id, { ...without, ...fill([field]) })).toEqual(OK);
      }
    }
  });

  it('reports all missing fields at once, including blank text and null', () => {
    expect(checkCredentials('twilio', { accountSid: '', token: ' \t\n', from: null })).toEqual({
      missing: ['accountSid', 'token', 'from'],
      invalid: [],
    });
    expect(checkCredentials('twilio', {}).missing).toEqual(['accountSid', 'token', 'from']);
  });

  it('ignores optional fields that are blank', () => {
    expect(checkCredentials('sms-central', { user: 'u', password: 'p', from: 'f', baseUrl: '' })).toEqual(OK);
  });

  it('ignores fields of other providers and unknown fields', () => {
    const credentials = { accountSid: 'AC1', token: 't', from: '+1', baseUrl: 'nonsense', secure: 'yes', colour: 1 };
    expect(checkCredentials('twilio', credentials)).toEqual(OK);
  });

  it.each([
    ['a text field', { ...SMTP, host: 25 }, 'host', 'must be text'],
    ['a text field', { ...SMTP, host: ['smtp.example'] }, 'host', 'must be text'],
    ['a boolean field', { ...SMTP, secure: 'true' }, 'secure', 'must be true or false'],
    ['a boolean field', { ...SMTP, ignoreTls: 0 }, 'ignoreTls', 'must be true or false'],
    ['an object field', { ...SMTP, tlsOptions: 'x' }, 'tlsOptions', 'must be an object'],
    ['an object field', { ...SMTP, tlsOptions: [] }, 'tlsOptions', 'must be an object'],
  ])('rejects a value of another type in %s: %j', (_what, credentials, field, reason) => {
    expect(checkCredentials('nodemailer', credentials)).toEqual({ missing: [], invalid: [{ field, reason }] });
  });

  it.each(['1', '25', '65535'])('accepts port %s', (port) => {
    expect(checkCredentials('nodemailer', { ...SMTP, port })).toEqual(OK);
  });

  it.each(['0', '65536', '99999', '-25', '5e2', '25.0', '0x19', ' 25', 'smtp', '25;26'])('rejects port %p', (port) => {
    expect(faultsOf(checkCredentials('kannel', { ...SMTP, port }))).toEqual(['port']);
  });

  it.each(['https://a.example', 'http://127.0.0.1:9001/v1?x=1', 'HTTPS://A.EXAMPLE/', 'http://[::1]/'])(
    'accepts the URL %s',
    (webhookUrl) => {
      expect(checkCredentials('push-webhook', { webhookUrl, secretKey: 's' })).toEqual(OK);
    },
  );

  it.each([
    'a.example',
    '//a.example',
    'ftp://a.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http:///path',
    'http:a.example',
    'https://a.example/ b',
    ' https://a.example',
    'https://a.exa\nmple',
    'https://a.example:99999',
  ])('rejects the URL %p', (url) => {
    expect(faultsOf(checkCredentials('push-webhook', { webhookUrl: url, secretKey: 's' }))).toEqual(['webhookUrl']);
  });

  it.each([
    ['sms-central', 'baseUrl'],
    ['email-webhook', 'webhookUrl'],
    ['braze', 'apiURL'],
    ['appio', 'AppIOBaseUrl'],
  ] as const)('checks the format of the URL of %s in %s', (id, field) => {
    const credentials = { ...fill(fieldsOf(describeProvider(id).required)), [field]: 'api.example/?x' };
    expect(faultsOf(checkCredentials(id, credentials))).toEqual([field]);
  });

  it('accepts the bare host that Infobip gives its customers', () => {
    const own = { apiKey: 'k', from: 'Acme' };
    for (const baseUrl of ['xyz.api.infobip.com', 'xyz.api.infobip.com/', 'xyz.api.infobip.com:443']) {
      expect(checkCredentials('infobip-sms', { ...own, baseUrl })).toEqual(OK);
    }
    for (const baseUrl of ['xyz', 'xyz.example/path', 'xyz.example@evil.example', 'x y.example']) {
      expect(faultsOf(checkCredentials('infobip-sms', { ...own, baseUrl }))).toEqual(['baseUrl']);
    }
  });

  it.each(['X-Api-Key', 'Authorization', "x!#$%&'*+-.^_`|~9"])('accepts the header name %s', (apiKeyRequestHeader) => {
    expect(checkCredentials('generic-sms', { ...GENERIC_SMS, apiKeyRequestHeader })).toEqual(OK);
  });

  it.each(['X Key', 'X-Key:', 'X-Key\r\nHost', 'X-Kéy', '"X"', 'X-Key ', 'a/b', 'a@b'])(
    'rejects the header name %p',
    (apiKeyRequestHeader) => {
      expect(faultsOf(checkCredentials('generic-sms', { ...GENERIC_SMS, apiKeyRequestHeader }))).toEqual([
        'apiKeyRequestHeader',
      ]);
    },
  );

  it.each(['host', 'Content-Length', 'TRANSFER-ENCODING', 'connection', 'Cookie', 'te', 'Upgrade'])(
    'rejects the reserved header %s in every field that names a header',
    (name) => {
      const fields = ['apiKeyRequestHeader', 'secretKeyRequestHeader', 'authenticationTokenKey'] as const;
      const credentials = { ...GENERIC_SMS, ...Object.fromEntries(fields.map((field) => [field, name])) };
      expect(faultsOf(checkCredentials('generic-sms', credentials))).toEqual(fields);
    },
  );

  describe('serviceAccount of fcm', () => {
    it('accepts the text of a service account key file', () => {
      const text = JSON.stringify(serviceAccount);
      expect(checkCredentials('fcm', { serviceAccount: text })).toEqual(OK);
      expect(checkCredentials('fcm', { serviceAccount: JSON.stringify(text) })).toEqual(OK);
    });

    it.each(['{', 'p', '[]', 'null', '"text"', '1'])('rejects %s as a service account', (text) => {
      expect(checkCredentials('fcm', { serviceAccount: text }).invalid).toEqual([
        { field: 'serviceAccount', reason: 'must be the JSON text of a service account key file' },
      ]);
    });

    it('reports the members that the key file lacks', () => {
      const text = JSON.stringify({ ...serviceAccount, client_email: ' ', private_key: 7 });
      expect(checkCredentials('fcm', { serviceAccount: text }).invalid).toEqual([
        { field: 'serviceAccount', reason: 'must contain client_email, private_key as text' },
      ]);
    });

    it('rejects a parsed object, because the field is text', () => {
      expect(checkCredentials('fcm', { serviceAccount }).invalid).toEqual([
        { field: 'serviceAccount', reason: 'must be text' },
      ]);
    });
  });

  it('never quotes a value in a reason', () => {
    const secret = 'hunter2 hunter2';
    for (const id of PROVIDER_IDS) {
      const { required, optional } = describeProvider(id);
      for (const field of [...fieldsOf(required), ...optional]) {
        const check = checkCredentials(id, { [field]: secret });
        expect(JSON.stringify(check)).not.toContain('hunter2');
      }
    }
  });

  it('reports missing and malformed fields together', () => {
    expect(checkCredentials('nodemailer', { port: 'smtp', from: 'a@example.com' })).toEqual({
      missing: ['host', 'senderName'],
      invalid: [{ field: 'port', reason: 'must be a port number from 1 to 65535' }],
    });
  });
});

describe('credential fields', () => {
  it('lists each credential field once', () => {
    const names = [...CREDENTIAL_STRING_FIELDS, ...CREDENTIAL_BOOLEAN_FIELDS, ...CREDENTIAL_OBJECT_FIELDS];
    expect(new Set(names).size).toBe(names.length);
  });
});
