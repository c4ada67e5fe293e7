import { type ContextDto, type ContextListDto, LIMITS } from '@clarion/contracts';
import { startGateway, type TestGateway } from './harness';

describe('contexts', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const create = (body: object) => gateway.call<ContextDto>('POST', '/v2/contexts', body);

  it('creates a context and answers 201', async () => {
    const answer = await create({ type: 'workspace', id: 'Red_1', data: { plan: 'gold' } });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      type: 'workspace',
      id: 'Red_1',
      data: { plan: 'gold' },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await gateway.call('GET', '/v2/contexts/workspace/Red_1')).body).toEqual(answer.body);
  });

  it('shows a context that was created without data with an empty object', async () => {
    expect((await create({ type: 'workspace', id: 'bare' })).body).toMatchObject({ data: {} });
  });

  it('creates a context once when 20 callers create it concurrently and answers 409 to the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ type: 'workspace', id: 'taken', data: { index } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
    const winner = answers.find(({ status }) => status === 201)!;
    const loser = answers.find(({ status }) => status === 409)!;
    expect(loser.body).toMatchObject({ message: 'Context workspace:taken already exists', ...winner.body });
    expect((await create({ type: 'region', id: 'taken' })).status).toBe(201);
  });

  it.each([
    [{ id: 'x' }, 'type'],
    [{ type: 'x' }, 'id'],
    [{ type: '', id: 'x' }, 'type'],
    [{ type: 'x'.repeat(101), id: 'x' }, 'type'],
    [{ type: 'x', id: 'x'.repeat(257) }, 'id'],
    [{ type: 'x', id: 5 }, 'id'],
    [{ type: 'x', id: 'x', data: [] }, 'data'],
    [{ type: 'x', id: 'x', data: null }, 'data'],
  ])('rejects the context %j with a 422 that names %s', async (body, field) => {
    const answer = await gateway.call<{ errors: Record<string, unknown> }>('POST', '/v2/contexts', body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('replaces the data of a context', async () => {
    const first = await create({ type: 'workspace', id: 'changed', data: { a: 1, b: 2 } });
    const path = '/v2/contexts/workspace/changed';
    expect(await gateway.call('PATCH', path, { data: { b: 3 } })).toMatchObject({ status: 200 });
    const { body } = await gateway.call<ContextDto>('GET', path);
    expect(body.data).toEqual({ b: 3 });
    expect(body.createdAt).toBe(first.body.createdAt);
    expect(await gateway.call('PATCH', path, {})).toMatchObject({ status: 422, body: { errors: { data: {} } } });
    expect(await gateway.call('PATCH', '/v2/contexts/workspace/none', { data: {} })).toMatchObject({
      status: 404,
      body: { message: 'Context workspace:none was not found' },
    });
  });

  it('deletes a context', async () => {
    await create({ type: 'workspace', id: 'gone' });
    const path = '/v2/contexts/workspace/gone';
    expect(await gateway.call('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect((await gateway.call('GET', path)).status).toBe(404);
    expect((await gateway.call('DELETE', path)).status).toBe(404);
  });

  it('never shows or changes a context of another environment', async () => {
    await create({ type: 'workspace', id: 'mine', data: { mine: true } });
    const headers = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const stranger = (method: string, path: string, body?: unknown) => gateway.call(method, path, body, headers);
    const path = '/v2/contexts/workspace/mine';

    expect((await stranger('GET', path)).status).toBe(404);
    expect((await stranger('PATCH', path, { data: {} })).status).toBe(404);
    expect((await stranger('DELETE', path)).status).toBe(404);
    expect((await stranger('GET', '/v2/contexts')).body).toMatchObject({ data: [], totalCount: 0 });
    expect((await stranger('POST', '/v2/contexts', { type: 'workspace', id: 'mine' })).status).toBe(201);
    expect((await gateway.call('GET', path)).body).toMatchObject({ data: { mine: true } });
  });
});

describe('GET /v2/contexts', () => {
  let gateway: TestGateway;
  const ids = Array.from({ length: 15 }, (_, index) => `c${String(index).padStart(2, '0')}`);

  beforeAll(async () => {
    gateway = await startGateway();
    for (const [index, id] of ids.entries())
      await gateway.call('POST', '/v2/contexts', { type: index % 3 === 0 ? 'Region' : 'team_x', id });
    await gateway.call('POST', '/v2/contexts', { type: 'team_x', id: 'c00' });
  });
  afterAll(() => gateway.close());

  const list = (query: string) => gateway.call<ContextListDto>('GET', `/v2/contexts?${query}`);
  const keysOf = ({ data }: ContextListDto) => data.map(({ type, id }) => `${type}:${id}`);
  const newestFirst = [
    'team_x:c00',
    ...ids.map((id, index) => `${index % 3 ? 'team_x' : 'Region'}:${id}`).toReversed(),
  ];

  it.each(['_id', 'createdAt', 'updatedAt'])(
    'pages forward and backward through contexts ordered by %s',
    async (orderBy) => {
      const query = `limit=6&orderBy=${orderBy}`;
      let page = (await list(query)).body;
      expect(page).toMatchObject({ previous: null, totalCount: 16, totalCountCapped: false });
      const forward = keysOf(page);
      while (page.next !== null) {
        page = (await list(`${query}&after=${page.next}`)).body;
        forward.push(...keysOf(page));
      }
      expect(forward).toEqual(newestFirst);
      const backward = keysOf(page);
      while (page.previous !== null) {
        page = (await list(`${query}&before=${page.previous}`)).body;
        backward.unshift(...keysOf(page));
      }
      expect(backward).toEqual(forward);
    },
  );

  it.each([
    ['id=c00', ['Region:c00', 'team_x:c00']],
    ['id=c0', []],
    ['search=region', ['Region:c00', 'Region:c03', 'Region:c06', 'Region:c09', 'Region:c12']],
    ['search=C14', ['team_x:c14']],
    ['search=x:c1', ['team_x:c10', 'team_x:c11', 'team_x:c13', 'team_x:c14']],
    ['search=m_x:c00', ['team_x:c00']],
    ['search=%25', []],
    ['search=region&id=c03', ['Region:c03']],
  ])('filters contexts by %s', async (query, keys) => {
    const { body } = await list(`${query}&orderDirection=ASC&limit=100`);
    expect(keysOf(body).toSorted()).toEqual(keys.toSorted());
    expect(body.totalCount).toBe(keys.length);
  });

  it('ends a page of large contexts before its limit, and reaches every one in both directions', async () => {
    const data = { text: 'x'.repeat(60_000) };
    for (let at = 0; at < 70; at += 1) {
      await gateway.call('POST', '/v2/contexts', { type: 'large', id: `l${at}`, data });
    }
    const walk = async () => {
      const found: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
        const query: string = cursor && `&after=${cursor}`;
        const { body, text } = await list(`search=large:&limit=100&orderDirection=ASC${query}`);
        expect(text.length).toBeLessThan(1.1 * LIMITS.pageBytes);
        expect(body.totalCount).toBe(70);
        found.push(...keysOf(body));
        cursor = body.next;
      }
      return found;
    };
    const forward = await walk();
    expect(forward).toEqual(Array.from({ length: 70 }, (_, at) => `large:l${at}`));
    const { body: last } = await list(`search=large:&limit=1&orderDirection=DESC`);
    const { body: before } = await list(`search=large:&limit=100&before=${last.next}&orderDirection=ASC`);
    expect(before.data.length).toBeLessThan(60);
    expect(keysOf(before)).toEqual(forward.slice(69 - before.data.length, 69));
    expect(before.previous).not.toBeNull();
  });

  it.each([
    ['after=x', 'after'],
    ['limit=101', 'limit'],
    ['orderBy=type', 'orderBy'],
    [`search=${'x'.repeat(257)}`, 'search'],
  ])('rejects the query %s with a 422 that names %s', async (query, field) => {
    expect(await list(query)).toMatchObject({ status: 422, body: { errors: { [field]: expect.anything() } } });
  });
});
