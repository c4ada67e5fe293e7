import type { CredentialsDto } from '@clarion/contracts';
import type { Integration } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { mask, open, seal, unmask } from './integration-secrets';

const LONG = 'sk_live_0123456789abcdef';

describe('credentials at rest', () => {
  const secrets = new SecretBox(SecretBox.generateKey());
  const credentials: CredentialsDto = { apiKey: LONG, from: '', secure: false, tlsOptions: { ca: ['x'], n: null } };
  const place = { environmentId: 'env', id: 'a' };
  const row = {
    ...place,
    credentials: seal(secrets, place, 'credentials', credentials),
    configurations: seal(secrets, place, 'configurations', { inboundWebhookSigningKey: LONG }),
  } as Integration;

  it('come back with their types', () => {
    expect(open(secrets, row)).toEqual({
      credentials,
      configurations: { inboundWebhookSigningKey: LONG },
      unreadable: { credentials: [], configurations: [] },
    });
  });

  it('are ciphertext, field by field', () => {
    expect(Object.keys(row.credentials)).toEqual(Object.keys(credentials));
    for (const sealed of Object.values(row.credentials)) expect(sealed).toMatch(/^v1\.k1\./);
    expect(JSON.stringify(row)).not.toContain(LONG);
  });

  it.each([
    ['row', { ...row, id: 'b' }],
    ['environment', { ...row, environmentId: 'other' }],
    ['part', { ...row, credentials: row.configurations, configurations: row.credentials }],
    ['field', { ...row, credentials: { token: row.credentials['apiKey']! }, configurations: {} }],
  ])('do not open in another %s; the fields are named', (_, moved) => {
    expect(open(secrets, moved)).toEqual({
      credentials: {},
      configurations: {},
      unreadable: { credentials: Object.keys(moved.credentials), configurations: Object.keys(moved.configurations) },
    });
  });

  it('open what can be opened beside a field that cannot', () => {
    const damaged = { ...row, credentials: { ...row.credentials, apiKey: 'v1.k1.x.y.z' } };
    expect(open(secrets, damaged)).toMatchObject({
      credentials: { from: '', secure: false },
      unreadable: { credentials: ['apiKey'] },
    });
  });
});

describe('masks', () => {
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

  it('hide the secret fields and nothing else', () => {
    expect(mask('credentials', stored)).toEqual(masked);
    expect(mask('configurations', { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'x'.repeat(16) })).toEqual({
      inboundWebhookEnabled: true,
      inboundWebhookSigningKey: '••••xxxx',
    });
  });

  it('show the end of a text only when that leaves enough of it hidden', () => {
    expect(mask('credentials', { token: 'a'.repeat(15) })).toEqual({ token: '••••' });
    expect(mask('credentials', { token: 'a'.repeat(16) })).toEqual({ token: '••••aaaa' });
  });

  it('stand for the stored values when they come back', () => {
    expect(unmask('credentials', masked, stored)).toEqual(stored);
    expect(unmask('credentials', { apiKey: masked.apiKey, from: 'new' }, stored)).toEqual({
      apiKey: LONG,
      from: 'new',
    });
  });

  it('may stand beside a changed neighbour in one object', () => {
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
  ])('are refused by name when %s is not the mask of what is stored', (field, given) => {
    const refused = (): unknown => unmask('credentials', given, stored);
    expect(refused).toThrow(expect.objectContaining({ code: 'unprocessable' }));
    expect(refused).toThrow(
      expect.objectContaining({ extra: { errors: { [field]: { messages: [expect.stringContaining(field)] } } } }),
    );
  });

  it('are plain text where nothing is secret', () => {
    expect(unmask('credentials', { senderName: '••••stars' }, {})).toEqual({ senderName: '••••stars' });
  });
});
