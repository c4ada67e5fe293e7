import { type LayoutDto, type LayoutListDto, type LayoutPreviewDto, LIMITS } from '@clarion/contracts';
import { LayoutRepository } from '@clarion/persistence';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

const html = (body: string) => ({ email: { body, editorType: 'html' } });

describe('layouts', () => {
  let gateway: TestGateway;
  let repository: LayoutRepository;

  beforeAll(async () => {
    gateway = await startGateway();
    repository = new LayoutRepository(gateway.database);
    await create({ layoutId: 'first', name: 'First' });
  });
  afterAll(() => gateway.close());

  const create = (body: object) => gateway.call<LayoutDto>('POST', '/v2/layouts', body);
  const retrieve = (layoutId: string) => gateway.call<LayoutDto>('GET', `/v2/layouts/${layoutId}`);
  const update = (layoutId: string, body: object) => gateway.call<LayoutDto>('PUT', `/v2/layouts/${layoutId}`, body);
  const remove = (layoutId: string) => gateway.call('DELETE', `/v2/layouts/${layoutId}`);
  const preview = (layoutId: string, body: object) =>
    gateway.call<LayoutPreviewDto>('POST', `/v2/layouts/${layoutId}/preview`, body);
  const defaults = async () => {
    const { body } = await gateway.call<LayoutListDto>('GET', '/v2/layouts?limit=100');
    return body.layouts.filter(({ isDefault }) => isDefault).map(({ layoutId }) => layoutId);
  };

  it('creates a layout with a default body and answers 201', async () => {
    const answer = await create({ layoutId: 'news.v2', name: 'The News', __source: 'dashboard' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      layoutId: 'news.v2',
      slug: expect.stringMatching(/^the-news_ly_\w+$/),
      name: 'The News',
      isDefault: false,
      isTranslationEnabled: false,
      origin: 'platform-cloud',
      type: 'REGULAR',
      controls: { values: { email: { body: expect.stringContaining('{{content}}'), editorType: 'html' } } },
      revision: expect.stringMatching(/^[\w-]{43}$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    for (const name of ['news.v2', answer.body._id, answer.body._id.toUpperCase(), answer.body.slug]) {
      expect((await retrieve(name)).body).toEqual(answer.body);
    }
  });

  it('answers 409 when the layoutId is taken, also under concurrent creates', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ layoutId: 'taken', name: 'T' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await create({ layoutId: 'taken', name: 'T' })).toMatchObject({
      status: 409,
      body: { message: 'Layout with id "taken" already exists' },
    });
  });

  it.each([
    [{ name: 'N' }, 'layoutId'],
    [{ layoutId: 'with space', name: 'N' }, 'layoutId'],
    [{ layoutId: 'x'.repeat(129), name: 'N' }, 'layoutId'],
    [{ layoutId: 'x' }, 'name'],
    [{ layoutId: 'x', name: ' ' }, 'name'],
  ])('answers the layout %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await gateway.call('POST', '/v2/layouts', body), [field]);
  });

  it('updates name and body, keeps absent fields and resets the body to the default for null', async () => {
    const { body: first } = await create({ layoutId: 'changed', name: 'Old' });
    const changed = await update('changed', { name: 'New', controlValues: html('<b>{{ content }}</b>') });
    expect(changed).toMatchObject({
      status: 200,
      body: { _id: first._id, name: 'New', controls: { values: html('<b>{{ content }}</b>') } },
    });
    const renamed = (await update('changed', { name: 'Newer', controlValues: {} })).body;
    expect(renamed).toMatchObject({ name: 'Newer', controls: changed.body.controls });
    expect((await retrieve('changed')).body).toEqual(renamed);
    expect((await update('changed', { name: 'Newer', controlValues: null })).body.controls).toEqual(first.controls);
    expect((await update('missing', { name: 'X' })).status).toBe(404);
  });

  it.each([
    ['does not parse', '{{content}} {% if %}'],
    ['does not contain {{content}}', '<p>Hello {{subscriber.firstName}}</p>'],
    ['never ends', '{{content}}{% for i in (1..99999999) %}{{ i }}{% endfor %}'],
  ])('answers 422 for a body that %s, and keeps the old body', async (_, body) => {
    const answer = await gateway.call('PUT', '/v2/layouts/first', {
      name: 'First',
      controlValues: html(body),
    });
    expectFieldErrors(answer, ['controlValues.email.body']);
    expect((await retrieve('first')).body.controls.values.email!.body).not.toBe(body);
  });

  it.each([
    [{ controlValues: html('{{content}}') }, 'name'],
    [{ name: 'N', controlValues: { email: { editorType: 'html' } } }, 'controlValues.email.body'],
    [
      { name: 'N', controlValues: { email: { body: '{{content}}', editorType: 'word' } } },
      'controlValues.email.editorType',
    ],
    [{ name: 'N', controlValues: 'html' }, 'controlValues'],
    [{ name: 'N', isDefault: 1 }, 'isDefault'],
  ])('answers the layout update %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await gateway.call('PUT', '/v2/layouts/first', body), [field]);
  });

  it('accepts a body in which {{content}} depends on a condition', async () => {
    await create({ layoutId: 'conditional', name: 'C' });
    const body = '{% if subscriber.data.vip %}<b>{{content}}</b>{% else %}{{content}}{% endif %}';
    expect((await update('conditional', { name: 'C', controlValues: html(body) })).status).toBe(200);
    const hidden = '{% if subscriber.data.vip %}{{content}}{% endif %}';
    expect((await update('conditional', { name: 'C', controlValues: html(hidden) })).status).toBe(200);
  });

  describe('default layout', () => {
    it('makes exactly one of ten concurrently created layouts the default', async () => {
      const key = (await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Race' })).key;
      const headers = { authorization: `ApiKey ${key}` };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          gateway.call<LayoutDto>('POST', '/v2/layouts', { layoutId: `l${index}`, name: 'L' }, headers),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      expect(answers.filter(({ body }) => body.isDefault)).toHaveLength(1);
    });

    it('moves the default to the layout that is made the default, also under concurrent updates', async () => {
      await create({ layoutId: 'second', name: 'Second' });
      await create({ layoutId: 'third', name: 'Third' });
      expect((await update('second', { name: 'Second', isDefault: true })).body.isDefault).toBe(true);
      expect(await defaults()).toEqual(['second']);
      expect((await repository.findDefault(gateway.environmentId))!.layoutId).toBe('second');

      const answers = await Promise.all(
        ['first', 'second', 'third', 'first', 'third'].map((id) => update(id, { name: id, isDefault: true })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(await defaults()).toHaveLength(1);

      await update('first', { name: 'First', isDefault: true });
      expect(await update('first', { name: 'First', isDefault: false })).toMatchObject({
        status: 422,
        body: { errors: { isDefault: expect.anything() } },
      });
      expect((await update('second', { name: 'Second', isDefault: false })).status).toBe(200);
      expect(await defaults()).toEqual(['first']);
    });

    it('answers 409 when the default is deleted while there are other layouts', async () => {
      expect(await remove('first')).toMatchObject({
        status: 409,
        body: { message: 'Layout first is the default: make another layout the default first' },
      });
      expect((await retrieve('first')).status).toBe(200);
    });

    it('deletes the default when it is the last layout', async () => {
      const key = (await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Lonely' })).key;
      const headers = { authorization: `ApiKey ${key}` };
      await gateway.call('POST', '/v2/layouts', { layoutId: 'only', name: 'Only' }, headers);
      expect((await gateway.call('DELETE', '/v2/layouts/only', undefined, headers)).status).toBe(204);
      const next = await gateway.call('POST', '/v2/layouts', { layoutId: 'next', name: 'Next' }, headers);
      expect(next.body).toMatchObject({ isDefault: true });
    });
  });

  it('deletes a layout with 204 and answers 404 afterwards', async () => {
    await create({ layoutId: 'gone', name: 'Gone' });
    expect(await remove('gone')).toMatchObject({ status: 204, text: '' });
    expect((await retrieve('gone')).status).toBe(404);
    expect((await remove('gone')).status).toBe(404);
  });

  it('lists the workflows that use a layout, and answers 409 to its deletion while there are any', async () => {
    await create({ layoutId: 'used', name: 'Used' });
    const mail = (name: string, controls: object, rest: object = {}) => ({
      name,
      type: 'email',
      controlValues: { subject: 'S', body: 'B', ...controls },
      ...rest,
    });
    const workflow = (workflowId: string, steps: object[]) =>
      gateway.call('POST', '/v2/workflows', { name: `Name of ${workflowId}`, workflowId, steps });
    await workflow('b-names-it', [mail('One', { layoutId: 'used' })]);
    await workflow('a-in-a-variant', [
      mail('One', { layoutId: null }, { variants: [{ controlValues: { subject: 'S', body: 'B', layoutId: 'used' } }] }),
    ]);
    await workflow('names-none', [mail('One', {})]);
    await workflow('wants-none', [mail('One', { layoutId: null })]);
    await workflow('no-email', [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'B', layoutId: 'used' } }]);
    await workflow('deleted', [mail('One', { layoutId: 'used' })]);
    await gateway.call('DELETE', '/v2/workflows/deleted');
    const usage = async (layoutId: string) => (await gateway.call('GET', `/v2/layouts/${layoutId}/usage`)).body;

    expect(await usage('used')).toEqual({
      workflows: [
        { name: 'Name of a-in-a-variant', workflowId: 'a-in-a-variant' },
        { name: 'Name of b-names-it', workflowId: 'b-names-it' },
      ],
    });
    expect(await usage('first')).toEqual({ workflows: [{ name: 'Name of names-none', workflowId: 'names-none' }] });
    expect(await remove('used')).toMatchObject({
      status: 409,
      body: { message: 'Layout used is used by workflows: a-in-a-variant, b-names-it' },
    });
    for (const workflowId of ['b-names-it', 'a-in-a-variant']) {
      await gateway.call('DELETE', `/v2/workflows/${workflowId}`);
    }
    expect((await remove('used')).status).toBe(204);
  });

  it('refuses an update that was made from another revision than the current one', async () => {
    const { revision } = (await create({ layoutId: 'revised', name: 'Revised' })).body;
    const change = (body: string, from?: string) =>
      update('revised', { name: 'Revised', controlValues: html(body), revision: from });
    const { status, body: second } = await change('<b>{{content}}</b>', revision);
    expect([status, second.revision]).toEqual([200, (await retrieve('revised')).body.revision]);
    expect(second.revision).not.toBe(revision);
    expect((await change('<i>{{content}}</i>', revision)).status).toBe(409);
    expect((await retrieve('revised')).body.revision).toBe(second.revision);
    expect((await change('<i>{{content}}</i>')).status).toBe(200);
  });

  it('duplicates a layout under the given id or under one derived from the name', async () => {
    await create({ layoutId: 'original', name: 'Original' });
    const controls = { values: html('<i>{{content}}</i>') };
    await update('original', { name: 'Original', controlValues: controls.values });
    const duplicate = (body: object) => gateway.call<LayoutDto>('POST', '/v2/layouts/original/duplicate', body);

    const named = await duplicate({ name: 'Copy', layoutId: 'the-copy' });
    expect(named).toMatchObject({
      status: 201,
      body: { name: 'Copy', layoutId: 'the-copy', controls, isDefault: false },
    });
    expect((await duplicate({ name: 'Copy', layoutId: 'the-copy' })).status).toBe(409);
    expect((await duplicate({ name: 'Ümlaut & Co' })).body).toMatchObject({ layoutId: 'umlaut-co', controls });
    expect((await duplicate({ name: 'Ümlaut & Co' })).body.layoutId).toMatch(/^umlaut-co-[0-9a-f]{8}$/);
    expect((await duplicate({ name: '!!!' })).body.layoutId).toBe('layout');
    expect(await gateway.call('POST', '/v2/layouts/missing/duplicate', { name: 'X' })).toMatchObject({ status: 404 });
  });

  describe('POST /v2/layouts/{layoutId}/preview', () => {
    beforeAll(async () => {
      await create({ layoutId: 'shown', name: 'Shown' });
      const body = '<h1>{{subscriber.firstName}} of {{context.team.id}}</h1>{{content}}';
      await update('shown', { name: 'Shown', controlValues: html(body) });
    });

    it('previews a layout with an example of every variable and a sample content', async () => {
      expect(await preview('shown', {})).toMatchObject({
        status: 201,
        body: {
          result: {
            type: 'email',
            preview: { body: '<h1>firstName of id</h1><p>The content of the step</p>' },
          },
          previewPayloadExample: { subscriber: { firstName: 'firstName' }, context: { team: { id: 'id' } } },
        },
      });
    });

    it('previews the given body and payload without storing them', async () => {
      const { body } = await preview('shown', {
        controlValues: html('<h2>{{subscriber.firstName}}</h2>{{content}}'),
        previewPayload: { subscriber: { firstName: 'Ada' }, content: '<b>Hi</b>' },
      });
      expect(body.result.preview.body).toBe('<h2>Ada</h2><b>Hi</b>');
      expect((await retrieve('shown')).body.controls.values.email!.body).toContain('<h1>');
    });

    it('renders a document of the block editor', async () => {
      const document = {
        type: 'doc',
        content: [
          {
            type: 'heading',
            attrs: { level: 1 },
            content: [{ type: 'variable', attrs: { id: 'subscriber.firstName' } }],
          },
          { type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'content' } }] },
        ],
      };
      const controlValues = { email: { body: JSON.stringify(document), editorType: 'block' } };
      expect((await update('shown', { name: 'Shown', controlValues })).status).toBe(200);
      const { body } = await preview('shown', {
        previewPayload: { subscriber: { firstName: 'A<b' }, content: '<p>x</p>' },
      });
      expect(body.result.preview.body).toMatch(/<h1[^>]*>A&lt;b<\/h1>\s*<p>x<\/p>/);
    });

    it('answers 422 that names the body for a template that cannot be rendered', async () => {
      expect(await preview('shown', { controlValues: html('{% if %}') })).toMatchObject({
        status: 422,
        body: { errors: { 'controlValues.email.body': expect.anything() } },
      });
      expect((await preview('missing', {})).status).toBe(404);
    });
  });

  it('finds the layouts that exist among the given layoutIds', async () => {
    const found = await repository.findMany(gateway.environmentId, ['first', 'second', 'none']);
    expect(found.map(({ layoutId }) => layoutId).toSorted()).toEqual(['first', 'second']);
    expect(await repository.findMany(gateway.environmentId, [])).toEqual([]);
  });

  it('reads large layouts in pages, and none of them to name those that are missing', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `large-${at}`);
    const controlValues = { email: { body: 'x'.repeat(LIMITS.pageBytes / 4), editorType: 'html' as const } };
    for (const layoutId of names)
      await repository.insert(gateway.environmentId, layoutId, { name: 'L', controlValues });
    const rows = jest.spyOn(gateway.database, 'rows');
    const pages = () => Promise.all(rows.mock.results.map(({ value }) => value as Promise<object[]>));
    const found = await repository.findMany(gateway.environmentId, names);
    expect(found.map(({ layoutId }) => layoutId).toSorted()).toEqual(names);
    expect(Math.max(...(await pages()).map((page) => page.length))).toBeLessThan(names.length);

    rows.mockClear();
    const existing = await repository.existing(gateway.environmentId, [...names, 'none']);
    expect([...existing].toSorted()).toEqual(names);
    expect(JSON.stringify(await pages()).length).toBeLessThan(LIMITS.pageBytes / 4);
    rows.mockRestore();
  });

  it('never shows or changes layouts of another environment', async () => {
    const { body } = await create({ layoutId: 'mine', name: 'Mine' });
    const headers = { authorization: `ApiKey ${await gateway.secondKey()}` };
    for (const name of ['mine', body._id, body.slug]) {
      for (const [method, path, sent] of [
        ['GET', '', undefined],
        ['PUT', '', { name: 'Stolen' }],
        ['DELETE', '', undefined],
        ['POST', '/duplicate', { name: 'Stolen' }],
        ['POST', '/preview', {}],
        ['GET', '/usage', undefined],
      ] as const) {
        const answer = await gateway.call(method, `/v2/layouts/${name}${path}`, sent, headers);
        expect(answer).toMatchObject({ status: 404, body: { message: `Layout ${name} was not found` } });
      }
    }
    const listed = await gateway.call('GET', '/v2/layouts', undefined, headers);
    expect(listed.body).toEqual({ layouts: [], totalCount: 0 });
  });
});

describe('GET /v2/layouts', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    for (const [layoutId, name] of [
      ['b-one', 'Zebra 100%'],
      ['a-two', 'apple'],
      ['c-three', 'Mango'],
    ]) {
      await gateway.call('POST', '/v2/layouts', { layoutId, name });
    }
    await gateway.call('PUT', '/v2/layouts/b-one', { name: 'Zebra 100%' });
  });
  afterAll(() => gateway.close());

  it.each([
    ['', ['c-three', 'a-two', 'b-one']],
    ['orderDirection=ASC', ['b-one', 'a-two', 'c-three']],
    ['orderBy=updatedAt', ['b-one', 'c-three', 'a-two']],
    ['orderBy=createdAt&limit=1&offset=1', ['a-two']],
    ['query=PPL', ['a-two']],
    ['query=three', ['c-three']],
    ['query=0%25', ['b-one']],
    ['query=%25%25', []],
  ])('lists layouts for the query %j', async (query, expected) => {
    const { status, body } = await gateway.call<LayoutListDto>('GET', `/v2/layouts?${query}`);
    expect(status).toBe(200);
    expect(body.layouts.map(({ layoutId }) => layoutId)).toEqual(expected);
    expect(body.totalCount).toBe(query.startsWith('query') ? expected.length : 3);
  });

  it('orders layouts by name', async () => {
    const { body } = await gateway.call<LayoutListDto>('GET', '/v2/layouts?orderBy=name&orderDirection=DESC');
    const names = body.layouts.map(({ name }) => name);
    expect([...names].sort()).not.toEqual(names);
    expect(names.indexOf('Zebra 100%')).toBeLessThan(names.indexOf('Mango'));
  });

  it.each(['limit=0', 'limit=101', 'offset=-1', 'orderBy=layoutId', 'orderDirection=up'])(
    'answers 422 for the layout list query %s',
    async (query) => {
      const field = query.split('=')[0]!;
      expect(await gateway.call('GET', `/v2/layouts?${query}`)).toMatchObject({
        status: 422,
        body: { errors: { [field]: expect.anything() } },
      });
    },
  );
});
