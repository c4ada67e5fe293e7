import { Novu } from '@novu/api';
import {
  type Channel,
  type CredentialsDto,
  type EnvironmentId,
  type IntegrationDto,
  LIMITS,
  newId,
  PROVIDERS_BY_CHANNEL,
  type SubscriberDto,
} from '@clarion/contracts';
import type { Integration } from '@clarion/persistence';
import {
  CREDENTIAL_BOOLEAN_FIELDS,
  CREDENTIAL_OBJECT_FIELDS,
  CREDENTIAL_STRING_FIELDS,
  describeProvider,
} from '@clarion/providers';
import { deleteDemoIntegrations } from '@clarion/testing';
import { type Answer, callGateway, expectFieldErrors, type Refusal, startGateway, type TestGateway } from './harness';

const SENDGRID = { apiKey: 'SG.0123456789abcdefghij', from: 'me@example.com', senderName: 'Acme Mailer' };
const TWILIO = { accountSid: 'AC00000000000000', token: 'tw-0123456789abcdefghij', from: '+4912345' };
const email = { providerId: 'sendgrid', channel: 'email', credentials: SENDGRID };
const activeEmail = { ...email, active: true };
const CONDITION = { children: [{ field: 'plan', value: 'gold', operator: 'EQUAL', on: 'payload' }] };

/** An environment and its key. Each test uses a new one, because primary and duplicates depend on all integrations. */
class Tenant {
  constructor(
    private readonly url: string,
    readonly key: string,
    readonly environmentId: EnvironmentId,
  ) {}

  static async of(gateway: TestGateway): Promise<Tenant> {
    const { environment, key } = await gateway.admin.createEnvironment(gateway.organizationId, {
      name: newId(),
      kind: 'development',
    });
    await deleteDemoIntegrations(gateway.database, environment.id);
    return new Tenant(gateway.url, key, environment.id);
  }

  call<T = IntegrationDto>(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    return callGateway<T>(this.url, this.key, method, path, body, headers);
  }
  create(body: object): Promise<Answer<IntegrationDto & Refusal>> {
    return this.call('POST', '/v1/integrations', body);
  }
  update(id: string | undefined, body: object): Promise<Answer<IntegrationDto & Refusal>> {
    return this.call('PUT', `/v1/integrations/${id}`, body);
  }
  delete(id: string | undefined): Promise<Answer<IntegrationDto[] & Refusal>> {
    return this.call('DELETE', `/v1/integrations/${id}`);
  }
  setPrimary(id: string | undefined): Promise<Answer<IntegrationDto & Refusal>> {
    return this.call('POST', `/v1/integrations/${id}/set-primary`);
  }
  async list(): Promise<IntegrationDto[]> {
    return (await this.call<IntegrationDto[]>('GET', '/v1/integrations')).body;
  }
  async get(id: string | undefined): Promise<IntegrationDto | undefined> {
    return (await this.list()).find(({ _id }) => _id === id);
  }
  /** Names by priority, highest first. The primary has a star; integrations without a priority are left out. */
  async order(channel: Channel = 'email'): Promise<string> {
    return (await this.list())
      .filter((integration) => integration.channel === channel && (integration.priority > 0 || integration.primary))
      .toSorted((a, b) => b.priority - a.priority)
      .map(({ name, primary, priority }) => `${name}${primary ? '*' : ''}=${priority}`)
      .join(' ');
  }
}

describe('integrations', () => {
  let gateway: TestGateway;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    tenant = await Tenant.of(gateway);
  });
  afterAll(() => gateway.close());

  const rowOf = async (id: string | undefined): Promise<Integration> => {
    const [row] = await gateway.database.rows<Integration>(`SELECT * FROM integration WHERE id = $1`, [id]);
    return row!;
  };

  describe('POST /v1/integrations', () => {
    it('answers 201 with the whole integration', async () => {
      const answer = await tenant.create({
        providerId: 'nodemailer',
        channel: 'email',
        name: 'Own server',
        identifier: 'own-server',
        _environmentId: tenant.environmentId.toUpperCase(),
        credentials: { host: 'smtp.example.com', port: '587', from: 'a@example.com', senderName: 'A', secure: false },
        active: true,
        check: false,
        conditions: [],
        configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'key' },
        deleted: true,
        primary: false,
      });

      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        _environmentId: tenant.environmentId,
        _organizationId: gateway.organizationId,
        name: 'Own server',
        identifier: 'own-server',
        providerId: 'nodemailer',
        channel: 'email',
        credentials: { host: 'smtp.example.com', port: '587', from: 'a@example.com', senderName: 'A', secure: false },
        configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'key' },
        active: true,
        deleted: false,
        primary: true,
        priority: 1,
        conditions: [],
      });
      expect(await tenant.get(answer.body._id)).toEqual(answer.body);
    });

    it('accepts boolean credentials that are sent as text', async () => {
      const credentials = { secure: 'true', requireTls: 'false', ignoreTls: '' };
      const { status, body } = await tenant.create({ providerId: 'nodemailer', channel: 'email', credentials });
      expect([status, body.credentials]).toEqual([201, { secure: true, requireTls: false }]);
    });

    it('fills in default values for the fields that are left out', async () => {
      const { status, body } = await tenant.create({ providerId: 'africas-talking', channel: 'sms' });
      expect(status).toBe(201);
      expect(body).toEqual({
        _id: expect.any(String),
        _environmentId: tenant.environmentId,
        _organizationId: gateway.organizationId,
        providerId: 'africas-talking',
        channel: 'sms',
        name: "Africa's Talking",
        identifier: expect.stringMatching(/^africa-s-talking-[0-9a-f]{10}$/),
        credentials: {},
        configurations: {},
        conditions: [],
        active: false,
        deleted: false,
        primary: false,
        priority: 0,
      });
      const withoutLatinName = await tenant.create({ providerId: 'twilio', channel: 'sms', name: '短信' });
      expect(withoutLatinName.body.identifier).toMatch(/^twilio-[0-9a-f]{10}$/);
    });

    it('keeps every known credential field and drops unknown ones', async () => {
      const credentials = {
        ...Object.fromEntries(CREDENTIAL_STRING_FIELDS.map((field) => [field, `value of ${field}`])),
        ...Object.fromEntries(CREDENTIAL_BOOLEAN_FIELDS.map((field, index) => [field, index % 2 === 0])),
        tlsOptions: { rejectUnauthorized: false, deep: [{ a: null }] },
      };
      const { body } = await tenant.create({ ...email, credentials: { ...credentials, unknown: 'x' } });
      expect(body.credentials).toEqual(credentials);
      expect(await tenant.get(body._id)).toMatchObject({ credentials });
    });

    it('documents the credential fields that the providers know', async () => {
      const { body } = await tenant.call<{
        components: { schemas: Record<string, { properties: Record<string, unknown> }> };
      }>('GET', '/openapi.json');
      const known = [...CREDENTIAL_STRING_FIELDS, ...CREDENTIAL_BOOLEAN_FIELDS, ...CREDENTIAL_OBJECT_FIELDS];
      expect(Object.keys(body.components.schemas['CredentialsDto']!.properties).toSorted()).toEqual(known.toSorted());
    });

    it.each([
      ['providerId', { channel: 'email' }],
      ['providerId', { providerId: 7, channel: 'email' }],
      ['channel', { providerId: 'sendgrid' }],
      ['channel', { providerId: 'sendgrid', channel: 'fax' }],
      ['providerId', { providerId: 'no-such', channel: 'email' }],
      ['providerId', { providerId: 'twilio', channel: 'email' }],
      ['providerId', { providerId: 'constructor', channel: 'email' }],
      ['name', { ...email, name: '  ' }],
      ['name', { ...email, name: null }],
      ['identifier', { ...email, identifier: '' }],
      ['identifier', { ...email, identifier: 'x'.repeat(257) }],
      ['active', { ...email, active: 'true' }],
      ['check', { ...email, check: 1 }],
      ['credentials', { ...email, credentials: 'x' }],
      ['credentials', { ...email, credentials: null }],
      ['credentials.port', { ...email, credentials: { port: 587 } }],
      ['credentials.apiKey', { ...email, credentials: { apiKey: null } }],
      ['credentials.secure', { ...email, credentials: { secure: 'yes' } }],
      ['credentials.tlsOptions', { ...email, credentials: { tlsOptions: [] } }],
      ['credentials.token', { ...email, credentials: { token: 'x'.repeat(16_385) } }],
      ['credentials.token', { ...email, credentials: { token: '••••abcd' } }],
      ['configurations', { ...email, configurations: [] }],
      ['configurations.rateLimit', { ...email, configurations: { rateLimit: -1 } }],
      ['configurations.rateLimit', { ...email, configurations: { rateLimit: 10_001 } }],
      ['configurations.rateLimit', { ...email, configurations: { rateLimit: '5' } }],
      ['configurations.inboundWebhookEnabled', { ...email, configurations: { inboundWebhookEnabled: 'x' } }],
      ['configurations.inboundWebhookSigningKey', { ...email, configurations: { inboundWebhookSigningKey: 1 } }],
      ['_environmentId', { ...email, _environmentId: 'not-a-uuid' }],
    ])('answers a bad integration with a 422 that names %s (%#)', async (field, body) => {
      expectFieldErrors(await tenant.create(body), [field]);
    });

    it('lists the providers of the channel when the given provider is not one of them', async () => {
      const { body } = await tenant.create({ providerId: 'twilio', channel: 'push' });
      expect(body.errors['providerId']!.messages).toEqual([
        `providerId must be a provider of the channel push: ${PROVIDERS_BY_CHANNEL.push.join(', ')}`,
      ]);
    });

    it('accepts the built-in provider ids in both spellings and answers in the spelling of the caller', async () => {
      const plain = await tenant.create({ providerId: 'novu-email', channel: 'email', active: true });
      expect(plain).toMatchObject({ status: 201, body: { providerId: 'platform-email' } });
      const novu = await tenant.call<{ data: IntegrationDto }>(
        'POST',
        '/v1/integrations',
        { providerId: 'platform-sms', channel: 'sms' },
        { 'user-agent': '@novu/api' },
      );
      expect(novu).toMatchObject({ status: 201, body: { data: { providerId: 'novu-sms' } } });
    });

    it('accepts an identifier once per environment', async () => {
      await tenant.create({ ...email, identifier: 'mine' });
      const again = await tenant.create({ ...email, identifier: ' mine ' });
      expect(again).toMatchObject({ status: 409, body: { message: 'Integration with identifier already exists' } });
      const elsewhere = await (await Tenant.of(gateway)).create({ ...email, identifier: 'mine' });
      expect(elsewhere.status).toBe(201);
    });

    it('gives an identifier to one of 20 concurrent creates with different idempotency keys', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          tenant.call(
            'POST',
            '/v1/integrations',
            { ...email, identifier: 'raced' },
            { 'idempotency-key': `k${index}` },
          ),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    });

    it('allows one in-app integration per environment, which is created with the environment', async () => {
      const second = await tenant.create({ providerId: 'platform', channel: 'in_app' });
      expect(second).toMatchObject({ status: 400, body: { message: expect.stringContaining('in-app') } });

      const [inApp] = await tenant.list();
      expect(inApp).toMatchObject({ channel: 'in_app', providerId: 'platform', active: true });
      await tenant.delete(inApp!._id);
      const replaced = await tenant.create({ providerId: 'novu', channel: 'in_app', credentials: { hmac: true } });
      expect(replaced).toMatchObject({ status: 201, body: { providerId: 'platform', credentials: { hmac: true } } });
    });

    it.each(['email', 'sms'])('allows the built-in %s provider once', async (channel) => {
      const builtIn = { providerId: `platform-${channel}`, channel };
      const first = await tenant.create(builtIn);
      expect((await tenant.create(builtIn)).status).toBe(409);
      await tenant.delete(first.body._id);
      expect((await tenant.create(builtIn)).status).toBe(201);
    });

    it('creates two integrations of the same provider', async () => {
      expect((await tenant.create(activeEmail)).status).toBe(201);
      expect((await tenant.create(activeEmail)).status).toBe(201);
    });

    it('rejects an integration that is too large or exceeds the limit of the environment', async () => {
      const huge = await tenant.create({
        ...email,
        credentials: { tlsOptions: { ca: 'x'.repeat(LIMITS.integrationBytes) } },
      });
      expect(huge.status).toBe(413);

      // The in-app integration counts too.
      await gateway.database.query(
        `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel)
         SELECT gen_random_uuid(), $1, 'n', 'n' || n, 'discord', 'chat' FROM generate_series(1, $2) n`,
        [tenant.environmentId, LIMITS.integrations - 2],
      );
      expect((await tenant.create(email)).status).toBe(201);
      const tooMany = await tenant.create(email);
      expect(tooMany).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`${LIMITS.integrations}`) },
      });
      expect(await tenant.list()).toHaveLength(LIMITS.integrations);
    });

    it('rejects integrations that are too large together, and lists the newest deleted ones', async () => {
      const fill = (state: string, count: number): Promise<unknown> =>
        gateway.database.query(
          `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, conditions, ${state})
           SELECT uuid_v7(), $1, 'n', 'large' || n || '${state}', 'discord', 'chat', jsonb_build_array(repeat('x', $3)), true
             FROM generate_series(1, $2) n`,
          [tenant.environmentId, count, LIMITS.integrationBytes],
        );
      await fill('active', LIMITS.integrationsBytes / LIMITS.integrationBytes - 1);
      const credentials = { tlsOptions: { ca: 'x'.repeat(LIMITS.integrationBytes - 1_000) } };
      const small = await tenant.create(email);
      const id = String(small.body['_id']);
      expect(small.status).toBe(201);
      expect((await tenant.create({ ...email, credentials })).status).toBe(413);
      expect((await tenant.update(id, { credentials })).status).toBe(413);
      expect((await tenant.update(id, { name: 'Other' })).status).toBe(200);

      await fill('deleted', 100);
      const deleted = (await tenant.call<IntegrationDto[]>('GET', '/v1/integrations?deleted=true')).body;
      expect([deleted.length > 10, deleted.length < 50]).toEqual([true, true]);
    });
  });

  describe('validation of integration credentials', () => {
    it.each([{ active: true }, { check: true }])('names every fault of the credentials with %j', async (flag) => {
      const credentials = { host: ' ', port: 'smtp', from: 'a@example.com' };
      const answer = await tenant.create({ providerId: 'nodemailer', channel: 'email', credentials, ...flag });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe(
        'The credentials cannot work with Custom SMTP: host is missing; senderName is missing; ' +
          'port must be a port number from 1 to 65535',
      );
      expect(answer.body.errors).toEqual({
        'credentials.host': { messages: ['host is missing'] },
        'credentials.senderName': { messages: ['senderName is missing'] },
        'credentials.port': { messages: ['port must be a port number from 1 to 65535'] },
      });
      expect(await tenant.order()).toBe('');
      expect(await tenant.list()).toHaveLength(1);
    });

    it('accepts incomplete credentials for an inactive integration', async () => {
      expect(
        (await tenant.create({ ...email, credentials: { apiKey: 'k' }, active: false, check: false })).status,
      ).toBe(201);
    });

    it('validates the credentials that an update will store', async () => {
      const { body: draft } = await tenant.create({ ...email, credentials: { apiKey: 'k' } });
      const activated = await tenant.update(draft._id, { active: true });
      expect(activated).toMatchObject({ status: 400, body: { message: expect.stringContaining('from is missing') } });

      const completed = await tenant.update(draft._id, { active: true, credentials: SENDGRID });
      expect(completed).toMatchObject({ status: 200, body: { active: true, credentials: SENDGRID } });

      // The integration is active, so new credentials are validated although the body has no `active`.
      const emptied = await tenant.update(draft._id, { name: 'Renamed', credentials: { from: 'a@example.com' } });
      expectFieldErrors(emptied, ['credentials.apiKey', 'credentials.senderName'], 400);
      expect(await tenant.get(draft._id)).toMatchObject({ name: 'SendGrid', credentials: SENDGRID });

      const paused = await tenant.update(draft._id, { active: false, credentials: {} });
      expect(paused).toMatchObject({ status: 200, body: { active: false } });
      expect(paused.body.credentials).toEqual({});
      expect((await tenant.update(draft._id, { name: 'Paused', check: true })).status).toBe(400);
      expect((await tenant.update(draft._id, { name: 'Paused' })).status).toBe(200);
    });

    it.each(['email', 'sms', 'chat', 'push'] as const)(
      'accepts every %s provider with its required fields',
      async (channel) => {
        for (const providerId of PROVIDERS_BY_CHANNEL[channel]) {
          const credentials = Object.fromEntries(
            describeProvider(providerId)
              .required.flat()
              .map((field) => [field, plausible(field)]),
          );
          const answer = await tenant.create({ providerId, channel, credentials, active: true });
          expect([providerId, answer.status]).toEqual([providerId, 201]);
        }
      },
    );
  });

  describe('PUT /v1/integrations/{integrationId}', () => {
    it('changes the fields that are sent and keeps the others', async () => {
      const { body: created } = await tenant.create({ ...email, name: 'A', identifier: 'a' });
      const { status, body } = await tenant.update(created._id, { name: ' B ', channel: 'sms', providerId: 'twilio' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...created, name: 'B' });
      expect((await tenant.update(created._id, { identifier: 'b' })).body).toMatchObject({
        name: 'B',
        identifier: 'b',
      });
    });

    it('replaces the credentials as a whole', async () => {
      const { body } = await tenant.create(email);
      const updated = await tenant.update(body._id, { credentials: { token: 't' } });
      expect(updated.body.credentials).toEqual({ token: 't' });
      expect((await rowOf(body._id)).credentials).toEqual({ token: expect.stringMatching(/^v1\./) });
    });

    it('merges configurations, so that the empty object of the SDK changes nothing', async () => {
      const { body } = await tenant.create({ ...email, configurations: { inboundWebhookSigningKey: 'a-signing-key' } });
      await tenant.update(body._id, { configurations: { inboundWebhookEnabled: true } });
      const { body: updated } = await tenant.update(body._id, { name: 'B', configurations: {} });
      expect(updated.configurations).toEqual({
        inboundWebhookSigningKey: 'a-signing-key',
        inboundWebhookEnabled: true,
      });
    });

    it.each([{}, { check: false }, { configurations: {} }, { unknown: 1 }, { providerId: 'ses' }])(
      'rejects an update with %j because it changes nothing',
      async (body) => {
        const { body: created } = await tenant.create(email);
        const answer = await tenant.update(created._id, body);
        expect(answer).toMatchObject({ status: 400, body: { message: 'No properties found for update' } });
        const own = await tenant.update(created._id, { ...body, _environmentId: tenant.environmentId });
        expect(own.status).toBe(400);
      },
    );

    it('checks the stored credentials when the body holds only check: true', async () => {
      // This provider has no check call; providers with one are in integration-checks.spec.ts.
      const withoutCheckCall = { ...email, providerId: 'netcore' };
      const { body: complete } = await tenant.create(withoutCheckCall);
      const { body: draft } = await tenant.create({ ...withoutCheckCall, credentials: {} });
      expect(await tenant.update(complete._id, { check: true })).toMatchObject({ status: 200, body: complete });
      expect((await tenant.update(draft._id, { check: true })).status).toBe(400);
    });

    it('answers 409 for an identifier that another integration has', async () => {
      const { body: first } = await tenant.create({ ...email, identifier: 'first' });
      const { body: second } = await tenant.create({ ...email, identifier: 'second' });
      const taken = await tenant.update(second._id, { identifier: 'first', name: 'x' });
      expect(taken).toMatchObject({ status: 409, body: { message: 'Integration with identifier already exists' } });
      expect(await tenant.get(second._id)).toEqual(second);
      expect((await tenant.update(first._id, { identifier: 'first' })).status).toBe(200);

      const stored = await tenant.call(
        'PUT',
        `/v1/integrations/${second._id}`,
        { identifier: 'first' },
        {
          'idempotency-key': 'taken',
        },
      );
      expect(stored.status).toBe(409);
    });

    it('validates the body of an update like that of a create', async () => {
      const { body } = await tenant.create(email);
      const answer = await tenant.update(body._id, { name: '', credentials: { hmac: 'x' }, conditions: {} });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual(
        expect.arrayContaining(['name', 'credentials.hmac', 'conditions']),
      );
    });
  });

  describe('conditions of an integration', () => {
    const CHILD = CONDITION.children[0]!;

    it('stores conditions completely, with default values for a group', async () => {
      const full = { isNegated: true, type: 'LIST', value: 'OR', children: [CHILD, { ...CHILD, on: 'subscriber' }] };
      const { status, body } = await tenant.create({ ...email, conditions: [full, { children: [] }] });
      expect(status).toBe(201);
      expect(body.conditions).toEqual([full, { isNegated: false, type: 'GROUP', value: 'AND', children: [] }]);
      expect(await tenant.get(body._id)).toMatchObject({ conditions: body.conditions });
    });

    it.each([
      ['conditions', {}],
      ['conditions', ['x']],
      ['conditions.0.children', [{}]],
      ['conditions.0.isNegated', [{ children: [], isNegated: 'no' }]],
      ['conditions.0.type', [{ children: [], type: 'SET' }]],
      ['conditions.0.value', [{ children: [], value: 'XOR' }]],
      ['conditions.0.value', [{ children: [], value: null }]],
      ['conditions.0.children', [{ children: {} }]],
      ['conditions.0.children.1.operator', [{ children: [CHILD, { ...CHILD, operator: 'IS' }] }]],
      ['conditions.0.children.0.on', [{ children: [{ ...CHILD, on: 'tenant' }] }]],
      ['conditions.0.children.0.value', [{ children: [{ ...CHILD, value: 5 }] }]],
      ['conditions.0.children.0.field', [{ children: [{ ...CHILD, field: '' }] }]],
      ['conditions.0.children', [{ children: Array.from({ length: 51 }, () => CHILD) }]],
      ['conditions', Array.from({ length: 51 }, () => ({ children: [] }))],
    ])('answers bad conditions with a 422 that names %s (%#)', async (field, conditions) => {
      const answer = await tenant.create({ ...email, conditions });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)[0]).toBe(field);
    });

    it('accepts 50 groups, and 50 conditions in a group', async () => {
      const wide = Array.from({ length: 50 }, () => ({ children: [CHILD] }));
      expect((await tenant.create({ ...email, conditions: wide })).status).toBe(201);
      const deep = { children: Array.from({ length: 50 }, () => CHILD) };
      expect((await tenant.create({ ...email, conditions: [deep] })).status).toBe(201);
    });
  });

  describe('GET /v1/integrations', () => {
    it('lists all or only the active integrations of the environment of the key', async () => {
      const { body: active } = await tenant.create(activeEmail);
      const { body: inactive } = await tenant.create({ providerId: 'twilio', channel: 'sms' });
      await (await Tenant.of(gateway)).create(activeEmail);

      const all = await tenant.call<IntegrationDto[]>('GET', '/v1/integrations');
      expect(all.status).toBe(200);
      expect(all.body.slice(1)).toEqual([active, inactive]);
      expect(all.body[0]).toMatchObject({ channel: 'in_app' });
      const onlyActive = await tenant.call<IntegrationDto[]>('GET', '/v1/integrations/active');
      expect(onlyActive).toMatchObject({ status: 200, body: [{ channel: 'in_app' }, { _id: active._id }] });
      expect(onlyActive.body).toHaveLength(2);
    });
  });

  describe('DELETE /v1/integrations/{integrationId}', () => {
    it('deletes an integration for good, returns the remaining ones and frees the identifier', async () => {
      const { body: gone } = await tenant.create({ ...activeEmail, identifier: 'reused' });
      const { body: left } = await tenant.create({ providerId: 'twilio', channel: 'sms' });
      const answer = await tenant.delete(gone._id);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(await tenant.list());
      expect(answer.body.map(({ _id }) => _id).slice(1)).toEqual([left._id]);

      expect((await tenant.delete(gone._id)).status).toBe(404);
      expect((await tenant.update(gone._id, { name: 'back' })).status).toBe(404);
      expect((await tenant.setPrimary(gone._id)).status).toBe(404);
      expect((await tenant.create({ ...email, identifier: 'reused' })).status).toBe(201);
    });

    it('keeps the row with the time and the key of the deletion, without its secrets', async () => {
      const { body } = await tenant.create({ ...activeEmail, configurations: { inboundWebhookSigningKey: 'k' } });
      await tenant.delete(body._id);
      const [key] = (await tenant.call<{ _id: string }[]>('GET', `/v1/environments/${tenant.environmentId}/api-keys`))
        .body;
      const row = await rowOf(body._id);
      expect(row).toMatchObject({ deleted: true, deletedAt: expect.any(Date), deletedBy: key!._id, primary: false });
      expect([row.credentials, row.configurations]).toEqual([{}, {}]);
    });

    it('hides the channels that subscribers have at a deleted integration', async () => {
      const [kept, gone] = await Promise.all(
        ['kept', 'gone'].map((identifier) =>
          tenant.create({ providerId: 'discord', channel: 'chat', active: true, identifier }),
        ),
      );
      await tenant.call('POST', '/v2/subscribers', { subscriberId: 's' });
      for (const integrationIdentifier of ['kept', 'gone']) {
        const answer = await tenant.call('PUT', '/v1/subscribers/s/credentials', {
          providerId: 'discord',
          integrationIdentifier,
          credentials: { webhookUrl: 'https://example.com/hook' },
        });
        expect(answer.status).toBe(200);
      }
      await tenant.update(kept!.body._id, { identifier: 'renamed' });
      await tenant.delete(gone!.body._id);
      const { body } = await tenant.call<SubscriberDto>('GET', '/v2/subscribers/s');
      expect(body.channels).toMatchObject([{ integrationIdentifier: 'renamed', _integrationId: kept!.body._id }]);
      expect(body.channels).toHaveLength(1);
    });
  });

  describe('isolation of integrations', () => {
    it('answers the same for a foreign integration as for a missing one', async () => {
      const { body: foreign } = await tenant.create({ ...activeEmail, identifier: 'theirs' });
      const stranger = await Tenant.of(gateway);
      const missing = newId();
      for (const ask of [
        (id: string) => stranger.update(id, { name: 'x' }),
        (id: string) => stranger.delete(id),
        (id: string) => stranger.setPrimary(id),
      ]) {
        const [foreignAnswer, missingAnswer] = [await ask(foreign._id!), await ask(missing)];
        expect(missingAnswer).toMatchObject({ status: 404, body: { message: `Entity with id ${missing} not found` } });
        expect(foreignAnswer.status).toBe(404);
        const { timestamp: _, ...same } = JSON.parse(missingAnswer.text.replaceAll(missing, foreign._id!)) as Record<
          string,
          unknown
        >;
        expect(foreignAnswer.body).toEqual({ ...same, timestamp: expect.any(String) });
      }
      expect(await tenant.get(foreign._id)).toEqual(foreign);
    });

    it('answers 422 for a malformed integration id', async () => {
      for (const answer of [
        await tenant.update('x', { name: 'x' }),
        await tenant.delete('x'),
        await tenant.setPrimary('x'),
      ]) {
        expectFieldErrors(answer, ['integrationId']);
      }
    });

    it('answers 404 for any environment but that of the key', async () => {
      const { body } = await tenant.create(email);
      for (const _environmentId of [gateway.environmentId, newId()]) {
        const message = `Environment ${_environmentId} was not found`;
        expect(await tenant.create({ ...email, _environmentId })).toMatchObject({ status: 404, body: { message } });
        const moved = await tenant.update(body._id, { name: 'x', _environmentId });
        expect(moved).toMatchObject({ status: 404, body: { message } });
      }
      expect(await tenant.list()).toHaveLength(2);
    });
  });

  describe('primary and priority of integrations', () => {
    const add = async (name: string, body: object = {}): Promise<string> => {
      const answer = await tenant.create({ ...activeEmail, name, ...body });
      expect(answer.status).toBe(201);
      return answer.body._id!;
    };

    it('makes the first active integration primary and inserts later ones right behind it', async () => {
      await add('draft', { active: false });
      await add('a');
      expect(await tenant.order()).toBe('a*=1');
      await add('b');
      expect(await tenant.order()).toBe('a*=2 b=1');
      await add('c');
      expect(await tenant.order()).toBe('a*=3 c=2 b=1');
    });

    it('keeps primary and priority per channel, and only for email and sms', async () => {
      await add('mail');
      await add('text', { providerId: 'twilio', channel: 'sms', credentials: TWILIO });
      const chat = await add('chat', { providerId: 'discord', channel: 'chat' });
      const push = await add('push', { providerId: 'expo', channel: 'push', credentials: { apiKey: 'k' } });
      expect([await tenant.order('email'), await tenant.order('sms')]).toEqual(['mail*=1', 'text*=1']);
      for (const [channel, id] of [
        ['chat', chat],
        ['push', push],
        ['in_app', (await tenant.list())[0]!._id],
      ] as const) {
        expect(await tenant.get(id)).toMatchObject({ primary: false });
        const refused = await tenant.setPrimary(id);
        expect(refused).toMatchObject({
          status: 400,
          body: { message: `Channel ${channel} does not support primary` },
        });
      }
    });

    it('promotes the next integration when the primary is deactivated, and keeps it afterwards', async () => {
      const a = await add('a');
      await add('b');
      const c = await add('c');
      const paused = await tenant.update(a, { active: false });
      expect(paused.body).toMatchObject({ active: false, primary: false, priority: 0 });
      expect(await tenant.order()).toBe('c*=2 b=1');
      await tenant.update(a, { active: true });
      expect(await tenant.order()).toBe('c*=3 a=2 b=1');
      await tenant.update(c, { active: true });
      expect(await tenant.order()).toBe('c*=3 a=2 b=1');
    });

    it('renumbers priorities when an integration behind the primary is removed', async () => {
      await add('a');
      const b = await add('b');
      const c = await add('c');
      await tenant.update(c, { active: false });
      expect(await tenant.order()).toBe('a*=2 b=1');
      await tenant.delete(b);
      expect(await tenant.order()).toBe('a*=1');
    });

    it('promotes the next integration when the primary is deleted', async () => {
      const a = await add('a');
      await add('b');
      await add('c');
      await tenant.delete(a);
      expect(await tenant.order()).toBe('c*=2 b=1');
    });

    it('makes the only integration primary again when it is reactivated', async () => {
      const a = await add('a');
      await tenant.update(a, { active: false });
      expect(await tenant.order()).toBe('');
      await tenant.update(a, { active: true });
      expect(await tenant.order()).toBe('a*=1');
    });

    it('never makes an integration with conditions primary', async () => {
      const a = await add('a');
      const b = await add('b');
      await add('c', { conditions: [CONDITION] });
      expect(await tenant.order()).toBe('a*=3 c=2 b=1');
      const conditional = await tenant.update(a, { conditions: [CONDITION] });
      expect(conditional.body).toMatchObject({ primary: false, active: true });
      expect(await tenant.order()).toBe('b*=3 a=2 c=1');
      await tenant.update(b, { active: false });
      expect(await tenant.order()).toBe('a=2 c=1');
      await tenant.update(a, { conditions: [] });
      expect(await tenant.order()).toBe('a*=2 c=1');
    });

    it('does not make a new integration with conditions primary even when there is no primary', async () => {
      await add('a', { conditions: [CONDITION] });
      expect(await tenant.order()).toBe('a=1');
      await add('b');
      expect(await tenant.order()).toBe('b*=2 a=1');
    });

    it('makes an integration primary by set-primary, which activates it and removes its conditions', async () => {
      await add('a');
      await add('b');
      const c = await add('c', { active: false, conditions: [CONDITION] });
      const answer = await tenant.setPrimary(c);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ _id: c, active: true, primary: true, priority: 3, conditions: [] });
      expect(await tenant.order()).toBe('c*=3 a=2 b=1');
      expect((await tenant.setPrimary(c)).status).toBe(200);
      expect(await tenant.order()).toBe('c*=3 a=2 b=1');
    });

    it('rejects set-primary for an integration with incomplete credentials', async () => {
      await add('a');
      const draft = await add('draft', { active: false, credentials: { apiKey: 'k' } });
      const refused = await tenant.setPrimary(draft);
      expectFieldErrors(refused, ['credentials.from', 'credentials.senderName'], 400);
      expect(await tenant.order()).toBe('a*=1');
    });

    it('keeps exactly one of five integrations primary under 50 concurrent calls', async () => {
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await add(name));
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => tenant.setPrimary(ids[index % 5])));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(answers.every(({ body }) => body.primary && body.priority === 5)).toBe(true);
      const after = await tenant.list();
      expect(after.filter(({ primary }) => primary)).toHaveLength(1);
      const emails = after.filter(({ channel }) => channel === 'email');
      expect(emails.map(({ priority }) => priority).toSorted()).toEqual([1, 2, 3, 4, 5]);
    });

    it('makes exactly one of ten concurrent first integrations primary', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => tenant.create({ ...activeEmail, name: `${index}` })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
      expect(answers.filter(({ body }) => body.primary)).toHaveLength(1);
      expect((await tenant.list()).filter(({ primary }) => primary)).toHaveLength(1);
    });

    it('keeps priorities consistent under concurrent deletes, updates and promotions', async () => {
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await add(name));
      const answers = await Promise.all([
        tenant.delete(ids[0]),
        tenant.update(ids[1], { active: false }),
        tenant.setPrimary(ids[2]),
        tenant.update(ids[3], { conditions: [CONDITION] }),
        tenant.setPrimary(ids[4]),
        tenant.create({ ...activeEmail, name: 'g' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 201]);
      expect(await tenant.order()).toMatch(/^[ce]\*=5 \w=4 \w=3 \w=2 \w=1$/);
    });
  });

  describe('stored credentials of integrations', () => {
    it('stores credentials and the signing key encrypted', async () => {
      const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'signing-key-0123456' };
      const { body } = await tenant.create({
        ...activeEmail,
        credentials: { ...SENDGRID, secure: true, tlsOptions: { passphrase: 'open sesame' } },
        configurations,
      });
      const row = await rowOf(body._id);
      for (const sealed of [...Object.values(row.credentials), ...Object.values(row.configurations)]) {
        expect(sealed).toMatch(/^v1\.k1\.[\w-]+\.[\w-]+\.[\w-]+$/);
      }
      const text = JSON.stringify(row);
      for (const secret of [...Object.values(SENDGRID), 'open sesame', configurations.inboundWebhookSigningKey]) {
        expect(text).not.toContain(secret);
      }
    });

    it('lists credentials copied from another row as unreadable and accepts new ones', async () => {
      const { body: mine } = await tenant.create(activeEmail);
      const { body: other } = await tenant.create({
        ...activeEmail,
        configurations: { inboundWebhookSigningKey: 'k' },
      });
      await gateway.database.query(
        `UPDATE integration t SET credentials = s.credentials, configurations = s.configurations
           FROM integration s WHERE s.id = $1 AND t.id = $2`,
        [other._id, mine._id],
      );

      const list = await tenant.call<IntegrationDto[]>('GET', '/v1/integrations');
      expect(list.status).toBe(200);
      expect(list.body[1]).toEqual({
        ...mine,
        priority: 2,
        credentials: {},
        configurations: {},
        unreadableFields: expect.arrayContaining([
          'credentials.apiKey',
          'credentials.from',
          'credentials.senderName',
          'configurations.inboundWebhookSigningKey',
        ]),
      });
      expect(list.body[2]).toEqual(other);

      const refused = await tenant.setPrimary(mine._id);
      expect(refused.status).toBe(400);
      expect(refused.body.errors['credentials.apiKey']!.messages[0]).toContain('cannot be decrypted');
      // An update that does not touch the unreadable fields works and keeps them.
      expect((await tenant.update(mine._id, { name: 'Renamed' })).status).toBe(200);
      expect(Object.keys((await rowOf(mine._id)).credentials)).toHaveLength(3);

      const repaired = await tenant.update(mine._id, {
        credentials: SENDGRID,
        configurations: { inboundWebhookSigningKey: 'new' },
      });
      expect(repaired.body).toMatchObject({
        credentials: SENDGRID,
        configurations: { inboundWebhookSigningKey: 'new' },
      });
      expect(repaired.body).not.toHaveProperty('unreadableFields');
    });

    it('masks credentials for a key of the scope read', async () => {
      const { body } = await tenant.create({ ...email, configurations: { inboundWebhookSigningKey: 'short' } });
      const { body: reader } = await tenant.call<{ key: string }>(
        'POST',
        `/v1/environments/${tenant.environmentId}/api-keys`,
        { scope: 'read' },
      );
      for (const path of ['/v1/integrations', '/v1/integrations/active']) {
        await tenant.update(body._id, { active: true });
        const answer = await callGateway<IntegrationDto[]>(gateway.url, reader.key, 'GET', path);
        expect(answer.body.find(({ _id }) => _id === body._id)).toMatchObject({
          credentials: { apiKey: '••••ghij', from: 'me@example.com', senderName: 'Acme Mailer' },
          configurations: { inboundWebhookSigningKey: '••••' },
        });
      }
    });

    it('stores no credentials in clear in the idempotency record', async () => {
      const headers = { 'idempotency-key': 'secret-create' };
      const first = await tenant.call('POST', '/v1/integrations', activeEmail, headers);
      const again = await tenant.call('POST', '/v1/integrations', activeEmail, headers);
      expect(again.headers.get('idempotency-replay')).toBe('true');
      expect(again.text).toBe(first.text);
      const records = await gateway.database.query(`SELECT * FROM idempotency_record WHERE environment_id = $1`, [
        tenant.environmentId,
      ]);
      expect(records).toHaveLength(1);
      expect(JSON.stringify(records)).not.toContain(SENDGRID.apiKey);
    });
  });

  it('serves the integration calls of the published SDK', async () => {
    const { integrations } = new Novu({
      secretKey: tenant.key,
      serverURL: gateway.url,
      retryConfig: { strategy: 'none' },
    });
    const { result: created } = await integrations.create({
      providerId: 'novu-sms',
      channel: 'sms',
      active: true,
      conditions: [],
    });
    expect(created).toMatchObject({ providerId: 'novu-sms', channel: 'sms', active: true, primary: false });
    const { result: second } = await integrations.create({ providerId: 'twilio', channel: 'sms', credentials: TWILIO });
    const { result: updated } = await integrations.update({ name: 'Other' }, second.id!);
    expect(updated).toMatchObject({ name: 'Other', credentials: TWILIO });
    await integrations.setAsPrimary(second.id!);
    const { result: listed } = await integrations.list();
    expect(listed.map(({ primary }) => primary)).toEqual([false, false, true]);
    const { result: left } = await integrations.delete(created.id!);
    expect(left.map(({ id }) => id)).toEqual([listed[0]!.id, second.id]);
  });
});

describe('integrations with CLARION_CREDENTIALS_IN_RESPONSES=masked', () => {
  let gateway: TestGateway;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_CREDENTIALS_IN_RESPONSES: 'masked' });
    tenant = await Tenant.of(gateway);
  });
  afterAll(() => gateway.close());

  const storedCredentials = async (id: string | undefined): Promise<CredentialsDto> => {
    const [row] = await gateway.database.rows<Integration>(`SELECT * FROM integration WHERE id = $1`, [id]);
    return Object.fromEntries(
      Object.entries(row!.credentials).map(([field, sealed]) => [
        field,
        JSON.parse(gateway.secrets.decrypt(sealed, [tenant.environmentId, 'integration', row!.id, field])),
      ]),
    );
  };

  it('shows no secret in any response', async () => {
    const created = await tenant.create(activeEmail);
    const answers = [
      created,
      await tenant.update(created.body._id, { name: 'x' }),
      await tenant.setPrimary(created.body._id),
      await tenant.call('GET', '/v1/integrations'),
      await tenant.call('GET', '/v1/integrations/active'),
      await tenant.delete((await tenant.create(email)).body._id),
    ];
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(300);
      expect(text).toContain('••••ghij');
      expect(text).not.toContain(SENDGRID.apiKey);
    }
  });

  it('replaces the mask of a credential by the stored value', async () => {
    const { body } = await tenant.create(activeEmail);
    const { status, body: updated } = await tenant.update(body._id, {
      credentials: { ...body.credentials, senderName: 'New' },
    });
    expect(status).toBe(200);
    expect(updated.credentials).toEqual({ ...SENDGRID, apiKey: '••••ghij', senderName: 'New' });
    expect(await storedCredentials(body._id)).toEqual({ ...SENDGRID, senderName: 'New' });

    await tenant.update(body._id, { credentials: { ...body.credentials, apiKey: 'another-key-0123456789' } });
    expect(await storedCredentials(body._id)).toEqual({ ...SENDGRID, apiKey: 'another-key-0123456789' });

    expectFieldErrors(await tenant.update(body._id, { credentials: body.credentials }), ['credentials.apiKey']);
  });
});

/** A value of the right shape for a required credential. */
function plausible(field: string): string {
  if (field === 'port') return '25';
  if (/url$/i.test(field)) return 'https://api.example.com';
  if (field === 'apiKeyRequestHeader') return 'X-Key';
  if (field === 'serviceAccount') return JSON.stringify({ project_id: 'p', client_email: 'e', private_key: 'k' });
  return 'value';
}
