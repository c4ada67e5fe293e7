import { create, Installation } from './installation';

// One installation for all: starting it costs more than all the commands, and commands that do not depend on each
// other run side by side.
describe('npm run clarion', () => {
  const installation = new Installation();
  afterAll(() => installation.remove());
  const { clarion } = installation;
  const made = async <T>(line: string): Promise<T> => (JSON.parse((await clarion(line)).output) as [T])[0];

  it('manages organizations, environments, keys and holds while Clarion runs and while it does not', async () => {
    const chosen = 'a-key-of-my-own-choice';
    const migrated = await clarion('migrate', { CLARION_API_KEY: chosen });
    expect(migrated.code).toBe(0);
    expect(migrated.output).toContain('Development');
    expect(migrated.output).not.toContain(chosen);
    const staging = await made<{ id: string; key: string }>('environments create Staging');

    const { url } = await installation.ready(installation.start());
    const get = async (path: string, apiKey: string) => {
      const response = await fetch(`${url}${path}`, { headers: { authorization: `ApiKey ${apiKey}` } });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const environmentsOf = async (apiKey: string) =>
      ((await get('/v1/environments', apiKey)).body as { name: string }[]).map(({ name }) => name);

    const [read, admin, limited, acme, listed, held] = await Promise.all([
      made<{ id: string; key: string }>('keys create --environment Staging --scope read'),
      made<{ key: string }>('keys create --scope admin --environment Staging'),
      made<{ expires: string; addresses: string }>(
        'keys create --expires 2099-01-01T00:00:00Z --allow-address 203.0.113.7 --allow-address 2001:db8::/32',
      ),
      made<{ id: string; key: string }>('organizations create Acme'),
      clarion('environments list'),
      made<object>('hold channel sms --environment Staging --reason incident'),
    ]);
    expect(limited).toMatchObject({ expires: '2099-01-01T00:00:00.000Z', addresses: '203.0.113.7 2001:db8::/32' });
    expect((JSON.parse(listed.output) as { name: string }[]).map(({ name }) => name)).toEqual([
      'Development',
      'Staging',
    ]);
    expect(held).toMatchObject({ target: 'channel', id: 'sms', setBy: 'operator' });
    expect((await get('/v2/subscribers', staging.key)).status).toBe(200);
    expect((await get('/v2/subscribers', read.key)).status).toBe(200);
    expect((await create(url, read.key, 'x')).status).toBe(403);
    expect((await get('/v1/holds', staging.key)).body).toMatchObject({
      data: [{ id: 'sms', reason: 'incident', state: 'held' }],
    });

    const [revoked, resumed, live, organizations] = await Promise.all([
      clarion(`keys revoke ${read.id}`),
      clarion('resume channel sms --environment Staging'),
      made<{ dialect: string }>(`environments create Live --organization ${acme.id} --dialect novu`),
      clarion('organizations list'),
    ]);
    expect([revoked.code, resumed.code]).toEqual([0, 0]);
    expect(live.dialect).toBe('novu');
    expect(organizations.output).toContain(acme.id);
    expect(await environmentsOf(chosen)).toEqual(['Development', 'Staging']);
    expect(await environmentsOf(admin.key)).toEqual(['Development', 'Staging']);
    expect(await environmentsOf(staging.key)).toEqual(['Staging']);
    expect(await environmentsOf(acme.key)).toEqual(['Development', 'Live']);
    const { body } = await get('/v1/audit-log?actor=cli&limit=100', acme.key);
    expect((body as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
      'organization.created',
      'api_key.created',
      'environment.created',
    ]);

    const deleteLive = `environments delete Live --organization ${acme.id}`;
    const [unconfirmed, wrong, deleted] = [
      await clarion(deleteLive),
      await clarion(`${deleteLive} --confirm live`),
      await clarion(`${deleteLive} --confirm Live`),
    ];
    expect([unconfirmed.code, wrong.code, deleted.code]).toEqual([2, 2, 0]);
    expect(unconfirmed.output).toContain('Nothing was deleted: repeat the name to confirm it, --confirm "Live"');
    expect(await environmentsOf(acme.key)).toEqual(['Development']);

    const keys = JSON.parse((await clarion(`keys list --environment ${staging.id}`)).output) as {
      revoked: string | null;
    }[];
    expect(keys.filter(({ revoked: time }) => time !== null)).toHaveLength(1);
    const refused = await Promise.all(
      [
        'hold channel fax --environment Staging',
        'resume channel sms',
        'resume channel sms --environment Development',
        'environments list --organization nope',
      ].map((line) => clarion(line)),
    );
    expect(refused.map(({ code }) => code)).toEqual([1, 2, 1, 1]);
    expect(refused[1]!.output).toContain('--environment is missing; there are: Development');
    expect(refused[2]!.output).toContain('There are several environments with the name "Development"');
    expect(refused[3]!.output).toContain('Default, Acme');

    const unreachable = await clarion('queues rebuild', { REDIS_URL: 'redis://127.0.0.1:9' });
    expect(unreachable).toMatchObject({ code: 1, output: expect.stringContaining('no job was written') });
    const [audited, queues, drained, rebuilt, limitedEnvironment, doctor] = await Promise.all(
      [
        'audit --since 1h --ids',
        'queues',
        'queues drain deliver.sms',
        'queues rebuild',
        'limits set --environment Staging --events-per-second 100 --messages-per-day 5000 --reason trial',
        'doctor',
      ].map((line) => clarion(line)),
    );
    expect(audited).toMatchObject({ code: 0, output: expect.stringContaining('"reconciles": true') });
    expect(queues).toMatchObject({ code: 0, output: expect.stringContaining('deliver.email') });
    expect(drained).toMatchObject({ code: 0, output: expect.stringContaining('"removedJobs": 0') });
    expect(rebuilt).toMatchObject({ code: 0, output: expect.stringContaining('"failedRows": 0') });
    expect(limitedEnvironment).toMatchObject({ code: 0, output: expect.stringContaining('"eventsPerSecond": 100') });
    expect(limitedEnvironment!.output).toMatch(/"setBy": "operator",\s+"reason": "trial"/);
    expect(doctor).toMatchObject({ code: 0, output: expect.stringContaining('"isFine": true') });
    expect((await clarion('limits clear --environment Staging')).output).toContain('"eventsPerSecond": null');
  });

  it('refuses what it does not have before it connects to anything', async () => {
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };
    const answers: [string, number, string][] = [
      ['environments create', 2, 'The name is missing'],
      ['keys create --scope root', 2, '--scope must be one of: admin'],
      ['keys create --expires yesterday', 2, '--expires must be'],
      ['dance', 2, 'Unknown command "dance"'],
      ['keys revoke nope', 1, 'nope is not the id of a key'],
      ['audit --since yesterday', 2, '--since must be a duration'],
      ['queues drain email', 2, 'There is no queue "email"'],
      ['limits set --events-per-second 5', 2, '--environment is missing'],
      [
        'hold environment Staging --environment Live',
        2,
        'names the environment "Staging" and --environment names "Live"',
      ],
      ['resume environment Staging --environment Live', 2, 'leave --environment out'],
      ['keys create --help', 0, '[--allow-address <IP or CIDR>]...'],
    ];
    const got = await Promise.all(answers.map(([line]) => clarion(line, nowhere)));
    expect(got.map(({ code }) => code)).toEqual(answers.map(([, code]) => code));
    for (const [at, [, , text]] of answers.entries()) expect(got[at]!.output).toContain(text);
  });
});
