import { Novu } from '@novu/api';
import { PromotionRepository } from '@clarion/persistence';
import { type Refusal, startGateway, type TestGateway } from './harness';

type Environment = { _id: string; apiKeys: [{ key: string }] };
type Diffs = { previous: Record<string, unknown> | null; new: Record<string, unknown> | null };
type Change = {
  resourceType: string;
  action: string;
  diffs?: Diffs;
  newIndex?: number;
  sourceResource?: { id: string };
};
type Compared = {
  resourceType: string;
  sourceResource: { id: string } | null;
  targetResource: { id: string } | null;
  changes: Change[];
  summary: object;
  dependencies?: object[];
  warnings: string[];
  fingerprint: string;
};
type Diff = { resources: Compared[]; summary: { totalChanges: number; totalEntities: number; hasChanges: boolean } };
type Published = { summary: { successful: number }; publishId?: string; results: object[]; warnings: string[] };
type Record_ = { _id: string; origin: string; undoneBy?: string; resources: { resourceId: string; diffs?: Diffs }[] };

const STEPS = [
  { stepId: 'email', name: 'Email', type: 'email', controlValues: { subject: 'Hi', body: 'Hello', layoutId: 'main' } },
  { stepId: 'sms', name: 'Text', type: 'sms', controlValues: { body: 'Hello' } },
  { stepId: 'bell', name: 'Bell', type: 'in_app', controlValues: { body: 'Hello' } },
];

const USES = (layoutId: string) => ({ ...STEPS[0]!.controlValues, layoutId });

describe('publishing from one environment to another', () => {
  let gateway: TestGateway;
  let target: Environment;
  const inTarget = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    gateway.call<T>(method, path, body, { authorization: `ApiKey ${target.apiKeys[0].key}` });
  const diff = async (): Promise<Diff> => {
    const answer = await gateway.call<Diff>('POST', `/v2/environments/${target._id}/diff`, {});
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const publish = (body: object = {}) =>
    gateway.call<Published & Refusal>('POST', `/v2/environments/${target._id}/publish`, body);
  const history = async () =>
    (await gateway.call<{ data: Record_[] }>('GET', `/v2/environments/${target._id}/publishes?limit=100`)).body.data;
  const undo = (id: string) =>
    gateway.call<Record_ & Refusal>('POST', `/v2/environments/${target._id}/publishes/${id}/undo`);
  const welcome = (changes: object = {}) => ({ name: 'Welcome', workflowId: 'welcome', steps: STEPS, ...changes });

  beforeAll(async () => {
    gateway = await startGateway();
    const made = await gateway.call<Environment>('POST', '/v1/environments', {
      name: 'Production',
      parentId: gateway.environmentId,
    });
    target = made.body;
    await gateway.call('POST', '/v2/layouts', { layoutId: 'main', name: 'Main' });
    await gateway.call('POST', '/v2/workflows', welcome({ tags: ['start'] }));
  });
  afterAll(() => gateway.close());

  it('names what the target lacks and publishes nothing without it', async () => {
    const { resources, summary } = await diff();
    expect(summary).toEqual({ totalEntities: 2, totalChanges: 2, hasChanges: true });
    expect(resources.map(({ resourceType, targetResource }) => [resourceType, targetResource])).toEqual([
      ['layout', null],
      ['workflow', null],
    ]);
    expect(resources[1]).toMatchObject({
      sourceResource: { id: 'welcome', name: 'Welcome' },
      changes: [{ action: 'added', diffs: { previous: null, new: { name: 'Welcome', tags: ['start'] } } }],
      dependencies: [{ resourceId: 'main', isBlocking: true, reason: 'LAYOUT_REQUIRED_FOR_WORKFLOW' }],
      warnings: expect.arrayContaining([expect.stringContaining('channel sms')]),
    });
    const refused = await publish({ resources: [{ resourceType: 'workflow', resourceId: 'welcome' }] });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('the workflow welcome needs the layout main');
    const unknown = await publish({ resources: [{ resourceType: 'layout', resourceId: 'nope' }] });
    expect(unknown.status).toBe(422);
    expect(Object.keys(unknown.body.errors)).toEqual(['resources.0.resourceId']);
    expect((await inTarget('GET', '/v2/workflows/welcome')).status).toBe(404);
  });

  it('changes nothing in a dry run, then publishes all or nothing, and finds no difference afterwards', async () => {
    const dry = await publish({ dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true, summary: { resources: 2, successful: 2, failed: 0, skipped: 0 } });
    expect(await history()).toEqual([]);
    expect((await diff()).summary.totalChanges).toBe(2);

    const done = await publish();
    expect(done.status).toBe(200);
    expect(done.body.results.slice(0, 2)).toMatchObject([
      { resourceType: 'layout', successful: [{ resourceId: 'main', action: 'created' }], totalProcessed: 1 },
      { resourceType: 'workflow', successful: [{ resourceId: 'welcome', action: 'created' }], failed: [] },
    ]);
    expect((await diff()).summary).toEqual({ totalEntities: 2, totalChanges: 0, hasChanges: false });
    const again = await publish({ resources: [{ resourceType: 'REGULAR', resourceId: 'welcome' }] });
    expect(again.body).toMatchObject({ summary: { successful: 0, skipped: 1 } });
    expect(again.body.publishId).toBeUndefined();
    const there = await inTarget<{ steps: { stepId: string; _id: string }[] }>('GET', '/v2/workflows/welcome');
    expect(there.body.steps.map(({ stepId }) => stepId)).toEqual(['email', 'sms', 'bell']);
    const [record] = await history();
    expect(record).toMatchObject({
      _id: done.body.publishId,
      origin: 'publish',
      sourceEnvironmentId: gateway.environmentId,
      actor: { type: 'key' },
      resources: [{ resourceId: 'main' }, { resourceId: 'welcome' }],
    });
    const audit = await gateway.call<{ data: { action: string; resource: { id: string } }[] }>(
      'GET',
      `/v1/audit-log?environmentId=${target._id}&action=publish.created`,
    );
    expect(audit.body.data.map(({ resource }) => resource.id)).toEqual([done.body.publishId]);
  });

  it('shows each changed field, step and order of steps, and keeps the ids of the steps of the target', async () => {
    const before = await inTarget<{ _id: string; steps: { stepId: string; _id: string }[] }>(
      'GET',
      '/v2/workflows/welcome',
    );
    const [email, sms, bell] = STEPS;
    const push = { stepId: 'push', name: 'Push', type: 'push', controlValues: { subject: 'Hi', body: 'Hello' } };
    const changed = { ...email, controlValues: { ...email!.controlValues, subject: 'Welcome' } };
    await gateway.call('PUT', '/v2/workflows/welcome', welcome({ description: 'First', steps: [bell, changed, push] }));
    expect(sms!.stepId).toBe('sms');
    const [found] = (await diff()).resources;
    const byStep = new Map(found!.changes.map((change) => [change.sourceResource?.id ?? 'deleted', change]));
    expect(byStep.get('welcome')).toMatchObject({
      resourceType: 'workflow',
      action: 'modified',
      diffs: { previous: { tags: ['start'], description: null }, new: { tags: [], description: 'First' } },
    });
    expect(byStep.get('email')).toMatchObject({
      resourceType: 'step',
      action: 'modified',
      diffs: { previous: { 'controlValues.subject': 'Hi' }, new: { 'controlValues.subject': 'Welcome' } },
    });
    expect(byStep.get('push')).toMatchObject({ action: 'added', newIndex: 2, diffs: { previous: null } });
    expect(byStep.get('bell')).toMatchObject({ action: 'moved', newIndex: 0, previousIndex: 2 });
    expect(byStep.get('deleted')).toMatchObject({ action: 'deleted', targetResource: { id: 'sms' } });
    expect(found!.summary).toEqual({ added: 1, modified: 3, deleted: 1, unchanged: 0 });

    const published = await publish();
    expect(published.body.summary.successful).toBe(1);
    const after = await inTarget<typeof before.body>('GET', '/v2/workflows/welcome');
    const idOf = (workflow: typeof before.body, stepId: string) =>
      workflow.steps.find((step) => step.stepId === stepId)?._id;
    expect(after.body._id).toBe(before.body._id);
    expect(idOf(after.body, 'email')).toBe(idOf(before.body, 'email'));
    const detail = await gateway.call<Record_>(
      'GET',
      `/v2/environments/${target._id}/publishes/${published.body.publishId}`,
    );
    expect(detail.body.resources[0]!.diffs!.new).toMatchObject({ 'steps.email.controlValues.subject': 'Welcome' });
  });

  it('refuses a publish when source or target was edited since the diff or while it runs', async () => {
    await gateway.call('PATCH', '/v2/workflows/welcome', { description: 'Second' });
    const [{ fingerprint }] = (await diff()).resources as [Compared];
    const named = { resources: [{ resourceType: 'workflow', resourceId: 'welcome', fingerprint }] };
    await gateway.call('PATCH', '/v2/workflows/welcome', { description: 'Third' });
    const source = await publish(named);
    expect(source.status).toBe(409);
    expect(source.body.message).toContain('The workflow welcome was changed since the diff');
    await gateway.call('PATCH', '/v2/workflows/welcome', { description: 'Second' });
    await inTarget('PATCH', '/v2/workflows/welcome', { severity: 'high' });
    expect((await publish(named)).status).toBe(409);

    // Both edits come between the reads of the plan and the lock of the transaction.
    const lock = PromotionRepository.prototype.lockWorkflows;
    const edits: [string, () => Promise<unknown>][] = [
      ['Production', () => inTarget('PATCH', '/v2/workflows/welcome', { severity: 'low' })],
      ['Development', () => gateway.call('PATCH', '/v2/workflows/welcome', { description: 'Fourth' })],
    ];
    for (const [place, edit] of edits) {
      const spy = jest.spyOn(PromotionRepository.prototype, 'lockWorkflows');
      spy.mockImplementationOnce(async function (this: PromotionRepository, ...parameters) {
        await edit();
        return lock.apply(this, parameters);
      });
      const refused = await publish();
      spy.mockRestore();
      expect(refused.status).toBe(409);
      expect(refused.body.message).toContain(`The workflow welcome was changed in ${place} meanwhile`);
    }
    expect((await inTarget('GET', '/v2/workflows/welcome')).body).toMatchObject({
      severity: 'low',
      description: 'First',
    });
  });

  it('undoes a publish once, and refuses when its resources were edited since', async () => {
    await gateway.call('PATCH', '/v2/workflows/welcome', { description: 'Published' });
    const first = (await publish()).body.publishId!;
    const undone = await undo(first);
    expect(undone.status).toBe(201);
    expect(undone.body).toMatchObject({ origin: 'undo', undoes: first, resources: [{ resourceId: 'welcome' }] });
    expect((await inTarget('GET', '/v2/workflows/welcome')).body).toMatchObject({
      description: 'First',
      severity: 'low',
    });
    expect((await history()).find(({ _id }) => _id === first)!.undoneBy).toBe(undone.body._id);
    expect((await undo(first)).status).toBe(409);

    const second = (await publish()).body.publishId!;
    await inTarget('PATCH', '/v2/workflows/welcome', { description: 'By hand' });
    const refused = await undo(second);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('The workflow welcome was changed since the publish');
    expect((await undo('01890000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  it('deletes what the source no longer has and restores the same rows and the default layout by undo', async () => {
    await publish();
    const before = await inTarget<{ _id: string }>('GET', '/v2/workflows/welcome');
    await gateway.call('DELETE', '/v2/workflows/welcome');
    await gateway.call('POST', '/v2/layouts', { layoutId: 'new', name: 'New' });
    await gateway.call('PUT', '/v2/layouts/new', { name: 'New', isDefault: true });
    await gateway.call('DELETE', '/v2/layouts/main');
    const done = await publish();
    expect(done.body.results.slice(0, 2)).toMatchObject([
      {
        successful: [
          { resourceId: 'main', action: 'deleted' },
          { resourceId: 'new', action: 'created' },
        ],
      },
      { successful: [{ resourceId: 'welcome', action: 'deleted' }] },
    ]);
    expect((await inTarget('GET', '/v2/layouts/new')).body).toMatchObject({ isDefault: true });
    expect((await undo(done.body.publishId!)).status).toBe(201);
    expect((await inTarget('GET', '/v2/workflows/welcome')).body['_id']).toBe(before.body._id);
    expect((await inTarget('GET', '/v2/layouts/main')).body).toMatchObject({ isDefault: true });
    expect((await inTarget('GET', '/v2/layouts/new')).status).toBe(404);

    // One layout alone takes the default from another one, which the publish and its undo change too.
    const alone = await publish({ resources: [{ resourceType: 'layout', resourceId: 'new' }] });
    expect(alone.body.summary.successful).toBe(2);
    await undo(alone.body.publishId!);
    expect((await inTarget('GET', '/v2/layouts/main')).body).toMatchObject({ isDefault: true });
  });

  it('keeps organizations apart and needs a key of the scope admin', async () => {
    const other = await gateway.admin.createOrganization('Other', { name: 'Main' });
    const foreign = other.environment.id;
    const missing = '01890000-0000-7000-8000-000000000000';
    for (const id of [foreign, missing]) {
      const calls = [
        gateway.call('POST', `/v2/environments/${id}/diff`, {}),
        gateway.call('POST', `/v2/environments/${target._id}/publish`, { sourceEnvironmentId: id }),
        gateway.call('GET', `/v2/environments/${id}/publishes`),
        gateway.call('GET', `/v2/environments/${id}/tags`),
        gateway.call('DELETE', `/v1/environments/${id}`),
      ];
      for (const { status, body } of await Promise.all(calls)) {
        expect([status, body['message']]).toEqual([404, `Environment ${id} was not found`]);
      }
    }
    const full = [
      inTarget('POST', `/v2/environments/${target._id}/diff`, { sourceEnvironmentId: gateway.environmentId }),
      inTarget('POST', `/v2/environments/${target._id}/publish`, {}),
      inTarget('PUT', '/v2/workflows/welcome/sync', { targetEnvironmentId: gateway.environmentId }),
      inTarget('DELETE', `/v1/environments/${gateway.environmentId}`),
    ];
    expect((await Promise.all(full)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const histories = [target._id, gateway.environmentId].map((id) =>
      inTarget('GET', `/v2/environments/${id}/publishes`),
    );
    expect((await Promise.all(histories)).map(({ status }) => status)).toEqual([200, 404]);
    const same = await gateway.call<Refusal>('POST', `/v2/environments/${gateway.environmentId}/diff`, {
      sourceEnvironmentId: gateway.environmentId,
    });
    expect(Object.keys(same.body.errors)).toEqual(['sourceEnvironmentId']);
  });

  it('publishes the translations of workflows and layouts and undoes that', async () => {
    await gateway.call('POST', '/v2/workflows', welcome({ workflowId: 'greeting', steps: STEPS.slice(2) }));
    const text = (content: object) =>
      gateway.call('POST', '/v2/translations', {
        resourceType: 'workflow',
        resourceId: 'greeting',
        locale: 'de_DE',
        content,
      });
    await text({ hello: 'Hallo', more: { bye: 'Tschau' } });
    const id = 'workflow.greeting.de_DE';
    const alone = await publish({ resources: [{ resourceType: 'translation', resourceId: id }] });
    expect(alone.body.message).toContain(`the translation ${id} needs the workflow greeting`);
    const both = [
      { resourceType: 'workflow', resourceId: 'greeting' },
      { resourceType: 'translation', resourceId: id },
    ];
    expect((await publish({ resources: both })).body.summary.successful).toBe(2);
    await text({ hello: 'Guten Tag', more: { bye: 'Tschau' } });
    const changed = (await diff()).resources.find(({ resourceType }) => resourceType === 'translation');
    expect(changed!.changes[0]!.diffs).toEqual({
      previous: { 'content.hello': 'Hallo' },
      new: { 'content.hello': 'Guten Tag' },
    });
    const { publishId } = (await publish({ resources: both })).body;
    const there = () => inTarget('GET', '/v2/translations/workflow/greeting/de_DE');
    expect((await there()).body).toMatchObject({ content: { hello: 'Guten Tag' } });
    await undo(publishId!);
    expect((await there()).body).toMatchObject({ content: { hello: 'Hallo' } });
  });

  it('writes any number of workflows in a few statements, each with its version and its record', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `many-${index + 10}`);
    for (const workflowId of ids)
      await gateway.call('POST', '/v2/workflows', welcome({ workflowId, steps: STEPS.slice(1) }));
    const published = async (expected: object) => {
      const watched = gateway.watchStatements();
      const { status, body } = await publish({
        resources: ids.map((resourceId) => ({ resourceType: 'workflow', resourceId })),
      });
      const statements = watched();
      expect([status, body.summary.successful]).toEqual([200, ids.length]);
      const countOf = (text: string) => statements.filter((statement) => statement.includes(text)).length;
      expect({
        inserts: countOf('INSERT INTO workflow ('),
        updates: countOf('UPDATE workflow t SET'),
        records: countOf('INSERT INTO audit_log'),
      }).toEqual(expected);
    };
    // One record of the publish itself.
    await published({ inserts: 1, updates: 0, records: 2 });
    const renamed = welcome({ name: 'Renamed', steps: STEPS.slice(2) });
    for (const [index, workflowId] of ids.entries()) {
      // Half of them get new steps, and so another version.
      const change = index % 2 === 0 ? { name: 'Renamed' } : renamed;
      const method = index % 2 === 0 ? 'PATCH' : 'PUT';
      expect((await gateway.call(method, `/v2/workflows/${workflowId}`, change)).status).toBe(200);
    }
    await published({ inserts: 0, updates: 2, records: 2 });
    const versions = await gateway.database.query(
      `SELECT w.workflow_id AS id, w.name, w.current_version AS version, jsonb_array_length(v.steps) AS steps
         FROM workflow w JOIN workflow_version v ON v.workflow_id = w.id AND v.version = w.current_version
        WHERE w.environment_id = $1 AND w.workflow_id = ANY ($2) ORDER BY w.id`,
      [target._id, ids],
    );
    expect(versions).toEqual(
      ids.map((id, index) => ({ id, name: 'Renamed', version: 1 + (index % 2), steps: 2 - (index % 2) })),
    );
    const log = await inTarget<{ data: { action: string; before: object; after: object }[] }>(
      'GET',
      '/v1/audit-log?action=workflow.updated&limit=100',
    );
    const records = log.body.data.filter(({ after }) => (after as { name?: string }).name === 'Renamed');
    expect(records).toHaveLength(ids.length);
    expect(records.every(({ before }) => (before as { name?: string }).name === 'Welcome')).toBe(true);
  });

  it('reads the translations that are named, and no other locales of their resources', async () => {
    const { environment, key } = await gateway.admin.createOrganization('Pairs', { name: 'Theirs' });
    const call = (path: string, body: object) => gateway.call('POST', path, body, { authorization: `ApiKey ${key}` });
    const names = ['de_DE', 'en_US'].map((locale) => ({
      type: 'layout' as const,
      identifier: `pair-${locale}`,
      locale,
    }));
    for (const { identifier: layoutId } of names) {
      await call('/v2/layouts', { layoutId, name: layoutId });
      for (const { locale } of names) {
        const content = { hello: locale };
        await call('/v2/translations', { resourceType: 'layout', resourceId: layoutId, locale, content });
      }
    }
    const found = await new PromotionRepository(gateway.database).findTranslations(environment.id, names);
    const shown = found.map(({ type, identifier, locale }) => ({ type, identifier, locale }));
    expect(shown.toSorted((one, other) => one.locale.localeCompare(other.locale))).toEqual(names);
  });

  it('writes, deletes and undoes any number of resources in as few statements as two of them', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `set-${index + 10}`);
    const of = (locale: string) => ids.map((id) => `layout.${id}.${locale}`);
    const resources = [
      ...ids.map((resourceId) => ({ resourceType: 'layout', resourceId })),
      ...ids.map((resourceId) => ({ resourceType: 'workflow', resourceId })),
      ...[...of('de_DE'), ...of('en_US')].map((resourceId) => ({ resourceType: 'translation', resourceId })),
    ];
    const write = async (text: string) => {
      for (const layoutId of ids) {
        await gateway.call('PUT', `/v2/layouts/${layoutId}`, { name: `${text} ${layoutId}` });
        for (const locale of ['de_DE', 'en_US']) {
          const content = { hello: `${text} ${locale}` };
          const translation = { resourceType: 'layout', resourceId: layoutId, locale, content };
          await gateway.call('POST', '/v2/translations', translation);
        }
      }
    };
    for (const id of ids) {
      await gateway.call('POST', '/v2/layouts', { layoutId: id, name: id });
      await gateway.call('POST', '/v2/workflows', welcome({ workflowId: id, steps: STEPS.slice(1) }));
    }
    await write('First');
    const written = async (work: () => Promise<{ status: number }>, status: number): Promise<number> => {
      const watched = gateway.watchStatements();
      const answer = await work();
      const statements = watched();
      expect(answer.status).toBe(status);
      return statements.filter((statement) => /\b(INSERT|UPDATE|DELETE)\b/.test(statement)).length;
    };
    const layoutRows = () =>
      gateway.database.query(
        `SELECT l.layout_id, l.name, x.locale, x.content FROM layout l JOIN translation x ON x.layout_id = l.id
          WHERE l.environment_id = $1 AND l.layout_id LIKE 'set-%' ORDER BY l.layout_id, x.locale`,
        [target._id],
      );
    const actions = async () => {
      const rows = await gateway.database.query<{ action: string; count: number }>(
        `SELECT action, count(*)::int AS count FROM audit_log
          WHERE environment_id = $1 AND action ~ '^(layout|translation|workflow)' GROUP BY action`,
        [target._id],
      );
      return new Map(rows.map(({ action, count }) => [action, count]));
    };
    const before = await actions();
    let publishId = '';
    const publishAll = async () => {
      const { status, body } = await publish({ resources });
      publishId = body.publishId!;
      return { status };
    };
    expect(await written(publishAll, 200)).toBeLessThan(20);
    const created = await layoutRows();
    expect(created).toHaveLength(24);
    expect(created[1]).toMatchObject({ layout_id: 'set-10', name: 'First set-10', content: { hello: 'First en_US' } });
    const createdBy = publishId;
    await write('Second');
    expect(await written(publishAll, 200)).toBeLessThan(20);
    expect((await layoutRows())[1]).toMatchObject({ name: 'Second set-10', content: { hello: 'Second en_US' } });
    expect(await written(() => undo(publishId), 201)).toBeLessThan(20);
    expect(await layoutRows()).toEqual(created);
    // A workflow that uses one of them keeps it, and with it everything.
    const user = welcome({ workflowId: 'user', steps: [{ ...STEPS[0], controlValues: USES('set-15') }] });
    await inTarget('POST', '/v2/workflows', user);
    const refused = await undo(createdBy);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The layout set-15 cannot be deleted, it is used by workflows: user',
    ]);
    expect(await layoutRows()).toEqual(created);
    await inTarget('DELETE', '/v2/workflows/user');
    const during = await actions();
    expect(await written(() => undo(createdBy), 201)).toBeLessThan(20);
    expect(await layoutRows()).toEqual([]);
    expect((await inTarget('GET', '/v2/workflows/set-10')).status).toBe(404);
    const after = await actions();
    for (const type of ['layout', 'workflow', 'translation']) {
      const count = type === 'translation' ? 24 : 12;
      expect([type, after.get(`${type}.deleted`)! - (during.get(`${type}.deleted`) ?? 0)]).toEqual([type, count]);
      expect([type, after.get(`${type}.created`)! - (before.get(`${type}.created`) ?? 0)]).toEqual([
        type,
        type === 'workflow' ? count + 1 : count,
      ]);
    }
  });

  it('works through the unmodified @novu/api client', async () => {
    const novu = new Novu({ secretKey: gateway.key, serverURL: gateway.url, retryConfig: { strategy: 'none' } });
    await gateway.call('POST', '/v2/layouts', { layoutId: 'main', name: 'Main' });
    await gateway.call('POST', '/v2/workflows', welcome({ workflowId: 'sdk', tags: ['b', 'a'] }));
    const compared = await novu.environments.diff({ sourceEnvironmentId: gateway.environmentId }, target._id);
    expect(compared.result.summary.hasChanges).toBe(true);
    expect(compared.result.resources.map(({ sourceResource }) => sourceResource?.id)).toContain('sdk');
    const published = await novu.environments.publish(
      { sourceEnvironmentId: gateway.environmentId, resources: [{ resourceType: 'REGULAR', resourceId: 'sdk' }] },
      target._id,
    );
    expect(published.result.summary).toEqual({ resources: 1, successful: 1, failed: 0, skipped: 0 });
    await gateway.call('PATCH', '/v2/workflows/sdk', { name: 'Synced' });
    const synced = await novu.workflows.sync({ targetEnvironmentId: target._id }, 'sdk');
    expect(synced.result).toMatchObject({ workflowId: 'sdk', name: 'Synced' });
    expect((await novu.environments.getTags(target._id)).result).toEqual(
      expect.arrayContaining([{ name: 'a' }, { name: 'b' }]),
    );
    const updated = await novu.environments.update(
      { name: 'Live', identifier: 'live-app', color: '#112233' },
      target._id,
    );
    expect(updated.result).toMatchObject({ name: 'Live', identifier: 'live-app', parentId: gateway.environmentId });
    const staging = (await novu.environments.create({ name: 'Staging', parentId: target._id, color: '#445566' }))
      .result;
    await expect(novu.environments.update({ parentId: staging.id }, target._id)).rejects.toMatchObject({
      statusCode: 422,
    });
    await novu.environments.delete(staging.id);
    expect((await novu.environments.list()).result.map(({ name }) => name)).toEqual(['Development', 'Live']);
  });
});
