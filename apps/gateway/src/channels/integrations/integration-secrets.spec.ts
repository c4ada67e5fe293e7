import type { CredentialsDto } from '@clarion/contracts';
import type { Integration } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { mask, open, seal, unmask } from './integration-secrets';

const LONG = 'sk_live_0123456789abcdef';

describe('sealIntegration and openIntegration', () => {
  const secrets = new SecretBox(SecretBox.generateKey());
  const credentials: CredentialsDto = { apiKey: LONG, from: '', secure: false, tlsOptions: { ca: ['x'], n: null } };
  const ids = { environmentId: 'env', id: 'a' };
  const row = {
    ...ids,
    credentials: seal(secrets, ids, 'credentials', credentials),
    configurations: seal(secrets, ids, 'configurations', { inboundWebhookSigningKey: LONG }),
  } as Integration;

  it('decrypts credentials with their original types', () => {
    expect(open(secrets, row)).toEqual({
      credentials,
      configurations: { inboundWebhookSigningKey: LONG },
      unreadable: { credentials: [], configurations: [] },
    });
  });

  it('encrypts each field of the credentials separately', () => {
    expect(Object.keys(row.credentials)).toEqual(Object.keys(credentials));
    for (const sealed of Object.values(row.credentials)) expect(sealed).toMatch(/^v1\.k1\./);
    expect(JSON.stringify(row)).not.toContain(LONG);
  });

  it.each([
    ['row', { ...row, id: 'b' }],
    ['environment', { ...row, environmentId: 'other' }],
    ['part', { ...row, credentials: row.configurations, configurations: row.credentials }],
    ['field', { ...row, credentials: { token: row.credentials['apiKey']! }, configurations: {} }],
  ])('does not decrypt fields that were moved to another %s and names them as unreadable', (_, moved) => {
    expect(open(secrets, moved)).toEqual({
      credentials: {},
      configurations: {},
      unreadable: { credentials: Object.keys(moved.credentials), configurations: Object.keys(moved.configurations) },
    });
  });

  it('decrypts the other fields when one field is damaged', () => {
    const damaged = { ...row, credentials: { ...row.credentials, apiKey: 'v1.k1.x.y.z' } };
    expect(open(secrets, damaged)).toMatchObject({
      credentials: { from: '', secure: false },
      unreadable: { credentials: ['apiKey'] },
    });
  });
});

describe('mask and unmask', () => {
  const stored: CredentialsDto = {
    apiKey: LONG,
    password: 'short',
    token: '',
    from: 'me@example.com',
    secure: true,
    tlsOptions: { key: LONG, rejectUnauthorized: false, ca: [LONG] },
  };
  const masked: CredentialsDto = {
    apiKey: '••••cdef',
    password: '••••',
    token: '',
    from: 'me@example.com',
    secure: true,
    tlsOptions: { key: '••••cdef', rejectUnauthorized: false, ca: ['••••cdef'] },
  };

  it('masks the secret fields and no others', () => {
    expect(mask('credentials', stored)).toEqual(masked);
    expect(mask('configurations', { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'x'.repeat(16) })).toEqual({
      inboundWebhookEnabled: true,
      inboundWebhookSigningKey: '••••xxxx',
    });
  });

  it('shows the last four characters of a secret only if it has at least 16', () => {
    expect(mask('credentials', { token: 'a'.repeat(15) })).toEqual({ token: '••••' });
    expect(mask('credentials', { token: 'a'.repeat(16) })).toEqual({ token: '••••aaaa' });
  });

  it('replaces a mask that the caller sends back by the stored value', () => {
    expect(unmask('credentials', masked, stored)).toEqual(stored);
    expect(unmask('credentials', { apiKey: masked.apiKey, from: 'new' }, stored)).toEqual({
      apiKey: LONG,
      from: 'new',
    });
  });

  it('replaces a mask inside an object whose other members changed', () => {
    const given = { tlsOptions: { key: '••••cdef', rejectUnauthorized: true, ca: ['other', 'more'] } };
    expect(unmask('credentials', given, stored)).toEqual({
      tlsOptions: { key: LONG, rejectUnauthorized: true, ca: ['other', 'more'] },
    });
  });

  it.each([
    ['credentials.apiKey', { apiKey: '••••0000' }],
    ['credentials.secretKey', { secretKey: '••••cdef' }],
    ['credentials.tlsOptions.cert', { tlsOptions: { cert: '••••cdef' } }],
    ['credentials.tlsOptions.ca.1', { tlsOptions: { ca: ['a', '••••cdef'] } }],
  ])('rejects %s by name when it is not the mask of the stored value', (field, given) => {
    const refused = (): unknown => unmask('credentials', given, stored);
    expect(refused).toThrow(expect.objectContaining({ code: 'unprocessable' }));
    expect(refused).toThrow(
      expect.objectContaining({ extra: { errors: { [field]: { messages: [expect.stringContaining(field)] } } } }),
    );
  });

  it('keeps dots unchanged in a field that is not secret', () => {
    expect(unmask('credentials', { senderName: '••••stars' }, {})).toEqual({ senderName: '••••stars' });
  });
});
