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

/** A value of the right shape for any field. */
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

/** Alternatives side by side. */
const fieldsOf = (required: readonly Requirement[]): CredentialField[] =>
  required.flatMap((requirement) => (typeof requirement === 'string' ? [requirement] : [...requirement]));

const faultsOf = (check: ReturnType<typeof checkCredentials>): string[] => check.invalid.map(({ field }) => field);

describe('checkCredentials', () => {
  it.each(PROVIDER_IDS)('accepts complete credentials of %s and names each one that is taken away', (id) => {
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

  it('names everything that is missing at once, blank text and null included', () => {
    expect(checkCredentials('twilio', { accountSid: '', token: ' \t\n', from: null })).toEqual({
      missing: ['accountSid', 'token', 'from'],
      invalid: [],
    });
    expect(checkCredentials('twilio', {}).missing).toEqual(['accountSid', 'token', 'from']);
  });

  it('does not miss or fault optional fields that are blank', () => {
    expect(checkCredentials('sms-central', { user: 'u', password: 'p', from: 'f', baseUrl: '' })).toEqual(OK);
  });

  it('leaves fields of other providers and unknown fields alone', () => {
    const credentials = { accountSid: 'AC1', token: 't', from: '+1', baseUrl: 'nonsense', secure: 'yes', colour: 1 };
    expect(checkCredentials('twilio', credentials)).toEqual(OK);
  });

  it.each([
    ['text', { ...SMTP, host: 25 }, 'host', 'must be text'],
    ['text', { ...SMTP, host: ['smtp.example'] }, 'host', 'must be text'],
    ['a boolean', { ...SMTP, secure: 'true' }, 'secure', 'must be true or false'],
    ['a boolean', { ...SMTP, ignoreTls: 0 }, 'ignoreTls', 'must be true or false'],
    ['an object', { ...SMTP, tlsOptions: 'x' }, 'tlsOptions', 'must be an object'],
    ['an object', { ...SMTP, tlsOptions: [] }, 'tlsOptions', 'must be an object'],
  ])('wants %s where the field is one: %#', (_what, credentials, field, reason) => {
    expect(checkCredentials('nodemailer', credentials)).toEqual({ missing: [], invalid: [{ field, reason }] });
  });

  it.each(['1', '25', '65535'])('takes port %s', (port) => {
    expect(checkCredentials('nodemailer', { ...SMTP, port })).toEqual(OK);
  });

  it.each(['0', '65536', '99999', '-25', '5e2', '25.0', '0x19', ' 25', 'smtp', '25;26'])('refuses port %p', (port) => {
    expect(faultsOf(checkCredentials('kannel', { ...SMTP, port }))).toEqual(['port']);
  });

  it.each(['https://a.example', 'http://127.0.0.1:9001/v1?x=1', 'HTTPS://A.EXAMPLE/', 'http://[::1]/'])(
    'takes the URL %s',
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
  ])('refuses the URL %p', (url) => {
    expect(faultsOf(checkCredentials('push-webhook', { webhookUrl: url, secretKey: 's' }))).toEqual(['webhookUrl']);
  });

  it.each([
    ['sms-central', 'baseUrl'],
    ['email-webhook', 'webhookUrl'],
    ['braze', 'apiURL'],
    ['appio', 'AppIOBaseUrl'],
  ] as const)('checks the URL of %s, %s', (id, field) => {
    const credentials = { ...fill(fieldsOf(describeProvider(id).required)), [field]: 'api.example/?x' };
    expect(faultsOf(checkCredentials(id, credentials))).toEqual([field]);
  });

  it('takes the bare host that Infobip gives its customers', () => {
    const own = { apiKey: 'k', from: 'Acme' };
    for (const baseUrl of ['xyz.api.infobip.com', 'xyz.api.infobip.com/', 'xyz.api.infobip.com:443']) {
      expect(checkCredentials('infobip-sms', { ...own, baseUrl })).toEqual(OK);
    }
    for (const baseUrl of ['xyz', 'xyz.example/path', 'xyz.example@evil.example', 'x y.example']) {
      expect(faultsOf(checkCredentials('infobip-sms', { ...own, baseUrl }))).toEqual(['baseUrl']);
    }
  });

  it.each(['X-Api-Key', 'Authorization', "x!#$%&'*+-.^_`|~9"])('takes the header name %s', (apiKeyRequestHeader) => {
    expect(checkCredentials('generic-sms', { ...GENERIC_SMS, apiKeyRequestHeader })).toEqual(OK);
  });

  it.each(['X Key', 'X-Key:', 'X-Key\r\nHost', 'X-Kéy', '"X"', 'X-Key ', 'a/b', 'a@b'])(
    'refuses the header name %p',
    (apiKeyRequestHeader) => {
      expect(faultsOf(checkCredentials('generic-sms', { ...GENERIC_SMS, apiKeyRequestHeader }))).toEqual([
        'apiKeyRequestHeader',
      ]);
    },
  );

  it.each(['host', 'Content-Length', 'TRANSFER-ENCODING', 'connection', 'Cookie', 'te', 'Upgrade'])(
    'refuses %s in every field that names a header',
    (name) => {
      const fields = ['apiKeyRequestHeader', 'secretKeyRequestHeader', 'authenticationTokenKey'] as const;
      const credentials = { ...GENERIC_SMS, ...Object.fromEntries(fields.map((field) => [field, name])) };
      expect(faultsOf(checkCredentials('generic-sms', credentials))).toEqual(fields);
    },
  );

  describe('of fcm', () => {
    it('takes the text of a service account key file', () => {
      const text = JSON.stringify(serviceAccount);
      expect(checkCredentials('fcm', { serviceAccount: text })).toEqual(OK);
      expect(checkCredentials('fcm', { serviceAccount: JSON.stringify(text) })).toEqual(OK);
    });

    it.each(['{', 'p', '[]', 'null', '"text"', '1'])('refuses %s', (text) => {
      expect(checkCredentials('fcm', { serviceAccount: text }).invalid).toEqual([
        { field: 'serviceAccount', reason: 'must be the JSON text of a service account key file' },
      ]);
    });

    it('names what the file lacks', () => {
      const text = JSON.stringify({ ...serviceAccount, client_email: ' ', private_key: 7 });
      expect(checkCredentials('fcm', { serviceAccount: text }).invalid).toEqual([
        { field: 'serviceAccount', reason: 'must contain client_email, private_key as text' },
      ]);
    });

    it('refuses the parsed object: the field is text', () => {
      expect(checkCredentials('fcm', { serviceAccount }).invalid).toEqual([
        { field: 'serviceAccount', reason: 'must be text' },
      ]);
    });
  });

  it('never quotes a value', () => {
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

describe('the credential fields', () => {
  it('are named once', () => {
    const names = [...CREDENTIAL_STRING_FIELDS, ...CREDENTIAL_BOOLEAN_FIELDS, ...CREDENTIAL_OBJECT_FIELDS];
    expect(new Set(names).size).toBe(names.length);
  });
});
