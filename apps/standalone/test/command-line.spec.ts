import { create, Place } from './place';

describe('npm run clarion', () => {
  let place: Place;
  beforeEach(() => void (place = new Place()));
  afterEach(() => place.leave());

  it('administers environments and keys from the command line, running or not', async () => {
    const chosen = 'a-key-of-my-own-choice';
    const migrated = await place.clarion('migrate', { CLARION_API_KEY: chosen });
    expect(migrated.code).toBe(0);
    expect(migrated.output).toContain('Development');
    expect(migrated.output).not.toContain(chosen);
    const created = await place.clarion('environments create Staging');
    const [staging] = JSON.parse(created.output) as [{ id: string; key: string }];
    const key = JSON.parse((await place.clarion('keys create --environment Staging --scope read')).output) as [
      { id: string; key: string },
    ];

    const { url } = await place.ready(place.start());
    const status = async (apiKey: string) =>
      (await fetch(`${url}/v2/subscribers`, { headers: { authorization: `ApiKey ${apiKey}` } })).status;
    expect(await status(staging.key)).toBe(200);
    expect(await status(key[0].key)).toBe(200);
    expect((await create(url, key[0].key, 'x')).status).toBe(403);

    const names = JSON.parse((await place.clarion('environments list')).output) as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual(['Development', 'Staging']);
    expect((await place.clarion(`keys revoke ${key[0].id}`)).code).toBe(0);
    const keys = JSON.parse((await place.clarion(`keys list --environment ${staging.id}`)).output) as {
      revoked: string | null;
    }[];
    expect(keys.filter(({ revoked }) => revoked !== null)).toHaveLength(1);

    for (const wrong of ['keys revoke nope', 'environments create', 'keys create --scope root', 'dance']) {
      expect((await place.clarion(wrong)).code).toBe(1);
    }
  }, 120_000);
});
