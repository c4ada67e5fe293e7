import { create, Installation } from './installation';

describe('npm run clarion', () => {
  let installation: Installation;
  beforeEach(() => void (installation = new Installation()));
  afterEach(() => installation.remove());

  it('manages environments and keys while Clarion runs and while it does not', async () => {
    const chosen = 'a-key-of-my-own-choice';
    const migrated = await installation.clarion('migrate', { CLARION_API_KEY: chosen });
    expect(migrated.code).toBe(0);
    expect(migrated.output).toContain('Development');
    expect(migrated.output).not.toContain(chosen);
    const created = await installation.clarion('environments create Staging');
    const [staging] = JSON.parse(created.output) as [{ id: string; key: string }];
    const key = JSON.parse((await installation.clarion('keys create --environment Staging --scope read')).output) as [
      { id: string; key: string },
    ];

    const { url } = await installation.ready(installation.start());
    const status = async (apiKey: string) =>
      (await fetch(`${url}/v2/subscribers`, { headers: { authorization: `ApiKey ${apiKey}` } })).status;
    expect(await status(staging.key)).toBe(200);
    expect(await status(key[0].key)).toBe(200);
    expect((await create(url, key[0].key, 'x')).status).toBe(403);

    const names = JSON.parse((await installation.clarion('environments list')).output) as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual(['Development', 'Staging']);
    expect((await installation.clarion(`keys revoke ${key[0].id}`)).code).toBe(0);
    const keys = JSON.parse((await installation.clarion(`keys list --environment ${staging.id}`)).output) as {
      revoked: string | null;
    }[];
    expect(keys.filter(({ revoked }) => revoked !== null)).toHaveLength(1);

    const held = await installation.clarion('hold channel sms --environment Staging --reason incident');
    expect(JSON.parse(held.output)).toMatchObject([{ target: 'channel', id: 'sms', heldBy: 'the command line' }]);
    const holds = await fetch(`${url}/v1/holds`, { headers: { authorization: `ApiKey ${staging.key}` } });
    expect(await holds.json()).toMatchObject({ data: [{ id: 'sms', reason: 'incident', state: 'held' }] });
    expect((await installation.clarion('resume channel sms --environment Staging')).code).toBe(0);

    for (const wrong of [
      'hold channel fax',
      'resume channel sms',
      'keys revoke nope',
      'environments create',
      'keys create --scope root',
      'environments create X --organization nope',
      'dance',
    ]) {
      expect((await installation.clarion(wrong)).code).toBe(1);
    }
  }, 240_000);

  it('creates isolated organizations and keys of the scope admin', async () => {
    const { url, key: first } = await installation.ready(installation.start());
    const made = async <T>(line: string) => (JSON.parse((await installation.clarion(line)).output) as [T])[0];
    const environmentsOf = async (apiKey: string) => {
      const response = await fetch(`${url}/v1/environments`, { headers: { authorization: `ApiKey ${apiKey}` } });
      return ((await response.json()) as { name: string }[]).map(({ name }) => name);
    };
    const staging = await made<{ key: string }>('environments create Staging');
    const admin = await made<{ key: string }>('keys create --scope admin --environment Staging');
    const limited = await made<{ expires: string; addresses: string }>(
      'keys create --expires 2099-01-01T00:00:00Z --allow-address 203.0.113.7 --allow-address 2001:db8::/32',
    );
    expect(limited).toMatchObject({ expires: '2099-01-01T00:00:00.000Z', addresses: '203.0.113.7 2001:db8::/32' });
    expect((await installation.clarion('keys create --expires yesterday')).output).toContain('--expires must be');
    const acme = await made<{ id: string; key: string }>('organizations create Acme');
    const live = await made<{ dialect: string }>(`environments create Live --organization ${acme.id} --dialect novu`);
    expect(live.dialect).toBe('novu');

    expect(await environmentsOf(first)).toEqual(['Development', 'Staging']);
    expect(await environmentsOf(admin.key)).toEqual(['Development', 'Staging']);
    expect(await environmentsOf(staging.key)).toEqual(['Staging']);
    expect(await environmentsOf(acme.key)).toEqual(['Development', 'Live']);
    const changes = await fetch(`${url}/v1/audit-log?actor=cli&limit=100`, {
      headers: { authorization: `ApiKey ${acme.key}` },
    });
    expect(((await changes.json()) as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
      'organization.created',
      'api_key.created',
      'environment.created',
    ]);
    expect((await installation.clarion('organizations list')).output).toContain(acme.id);
    expect((await installation.clarion('environments list --organization nope')).output).toContain('Default, Acme');
  }, 240_000);
});
