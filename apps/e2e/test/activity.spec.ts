import type { IntegrationDto, MessageDto, NotificationDto } from '@clarion/contracts';
import { type Clarion, detailsOf, startClarion } from './harness';

/** Fields that the engine and the workers fill after the trigger was stored. */
describe('activity', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app', 'email'] });
    await clarion.workflow(
      'order',
      [
        {
          type: 'digest',
          stepId: 'collect',
          name: 'Collect',
          controlValues: { type: 'regular', amount: 1, unit: 'hours' },
        },
        {
          type: 'in_app',
          stepId: 'note',
          name: 'Note',
          controlValues: { body: 'Hello {{subscriber.firstName}}, order {{payload.order.id}}' },
          variants: [
            { name: 'Gold', active: false, controlValues: { body: '{{payload.plan}} {{subscriber.data.vip}}' } },
          ],
        },
      ],
      { payloadSchema: { type: 'object', properties: { total: { type: 'number' }, order: { type: 'object' } } } },
    );
  });
  afterAll(() => clarion.close());

  const retrieve = (id: string | undefined) => clarion.callOk<NotificationDto>('GET', `/v1/notifications/${id}`);

  it('says of every detail of an event that it is a test, if the caller said so', async () => {
    const flags = async (query: string) => {
      const event = { name: 'order', to: { subscriberId: `tester-${query.length}` }, payload: {} };
      const { transactionId } = await clarion.callOk<{ transactionId: string }>(
        'POST',
        `/v1/events/trigger${query}`,
        event,
      );
      const [found] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
      const { jobs } = await retrieve(found!._id);
      return new Set(jobs!.flatMap((job) => job.executionDetails!.map(({ isTest }) => isTest)));
    };
    expect(await flags('?test=true')).toEqual(new Set([true]));
    expect(await flags('')).toEqual(new Set([false]));
  });

  it('shows the controls of the trigger, the variables of the workflow and the order of the steps', async () => {
    const controls = { steps: { note: { body: 'x' } } };
    const transactionId = await clarion.trigger(
      'order',
      { subscriberId: 'ann', firstName: 'Ann' },
      {
        controls,
        payload: { order: { id: 7 } },
      },
    );
    const [opened] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    expect(opened!.controls).toEqual(controls);
    expect(opened!.template!.triggers).toEqual([
      {
        type: 'event',
        identifier: 'order',
        variables: [{ name: 'total' }, { name: 'order' }, { name: 'order.id' }, { name: 'plan' }],
        subscriberVariables: [{ name: 'firstName' }, { name: 'data.vip' }],
      },
    ]);
    const [collect, note] = opened!.jobs!;
    expect(collect!.step).toMatchObject({ _parentId: null, template: { type: 'digest', name: 'Collect' } });
    expect(note!.step).toMatchObject({ _parentId: collect!.step._id, template: { type: 'in_app', name: 'Note' } });
    expect(note!.digest).toBeUndefined();

    await clarion.makeDue(transactionId);
    const [done] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[1]?.status === 'completed');
    expect(done!.jobs![1]!.digest).toMatchObject({ type: 'regular', events: [{ order: { id: 7 } }] });
    expect(done!.updatedAt! > opened!.updatedAt!).toBe(true);
    expect(done!.updatedAt).toBe(
      done!
        .jobs!.map((job) => job.updatedAt!)
        .toSorted()
        .at(-1),
    );

    const [message] = await clarion.messages(transactionId);
    const [, job] = (await retrieve(done!._id)).jobs!;
    expect(job!.messages).toEqual([
      {
        _id: message!._id,
        status: 'sent',
        providerId: 'platform',
        content: 'Hello Ann, order 7',
        createdAt: message!.createdAt,
      },
    ]);
    expect(message!.template).toMatchObject({
      _id: done!._templateId,
      name: 'order',
      description: '',
      active: true,
      draft: false,
      preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
      critical: false,
      tags: [],
      steps: [
        { name: 'Collect', template: { type: 'digest' } },
        { name: 'Note', template: { type: 'in_app' }, _parentId: collect!.step._id },
      ],
      _creatorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      _notificationGroupId: message!._environmentId,
      triggers: done!.template!.triggers,
      deleted: false,
      deletedAt: '',
      deletedBy: '',
    });
  });

  it('shows the variables of a payload schema after a change of the schema only', async () => {
    await clarion.callOk('PATCH', '/v2/workflows/order', {
      payloadSchema: { type: 'object', properties: { a: { properties: { b: {}, c: {} } } } },
    });
    const transactionId = await clarion.trigger('order', 'ben');
    const [one] = await clarion.activity(transactionId, ({ length }) => length === 1);
    expect(one!.template!.triggers[0]!.variables.map(({ name }) => name)).toEqual(['a.b', 'a.c', 'order.id', 'plan']);
  });

  it('records once that an in-app message was read, alone or together with all others', async () => {
    await clarion.workflow('plain', [{ type: 'in_app', controlValues: { body: 'Hi' } }]);
    const confirmations = async (notification: NotificationDto): Promise<string[]> =>
      detailsOf((await retrieve(notification._id)).jobs![0]!).filter((line) => line.startsWith('ReadConfirmation'));
    const [first, second, third] = [
      await clarion.run('plain', 'cat'),
      await clarion.run('plain', 'cat'),
      await clarion.run('plain', 'cat'),
    ];
    const [message] = await clarion.messages(first!.transactionId);
    const path = `/v2/subscribers/cat/notifications`;
    await Promise.all([1, 2, 3].map(() => clarion.callOk('PATCH', `${path}/${message!._id}/read`)));
    expect(await confirmations(first!)).toEqual(['ReadConfirmation: Message read']);
    expect(await confirmations(second!)).toEqual([]);

    const [other] = await clarion.messages(second!.transactionId);
    await clarion.callOk('PATCH', `${path}/${other!._id}/archive`);
    await clarion.callOk('POST', `${path}/read`);
    for (const notification of [first!, second!, third!]) {
      expect(await confirmations(notification)).toEqual(['ReadConfirmation: Message read']);
    }
  });

  it('shows the source Credentials when the provider rejects the API key', async () => {
    await clarion.integration('sendgrid', 'email');
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: 'B' } }]);
    clarion.provider.always('/v3/mail/send', { status: 401, json: { errors: [{ message: 'The key is invalid' }] } });
    const transactionId = await clarion.trigger('mail', { subscriberId: 'dan', email: 'dan@example.com' });
    const refusals = (all: NotificationDto[]) =>
      (all[0]?.jobs?.[0]?.executionDetails ?? []).filter(({ source }) => source === 'Credentials');
    const found = await clarion.activity(transactionId, (all) => refusals(all).length > 0);
    expect(refusals(found)[0]).toMatchObject({ detail: 'Unexpected provider error', status: 'Warning' });
    await clarion.callOk('DELETE', `/v1/events/trigger/${transactionId}`);
  });

  it('shows a deleted integration without its credentials when deleted=true is given', async () => {
    const { _id: id } = await clarion.integration('resend', 'email');
    await clarion.callOk('DELETE', `/v1/integrations/${id}`);
    expect((await clarion.call('GET', `/v1/integrations/${id}`)).status).toBe(404);
    const deleted = {
      _id: id,
      deleted: true,
      active: false,
      deletedAt: expect.any(String),
      deletedBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
      credentials: {},
    };
    expect(await clarion.callOk('GET', `/v1/integrations/${id}?deleted=true`)).toMatchObject(deleted);
    expect(await clarion.callOk('GET', '/v1/integrations?deleted=true')).toContainEqual(
      expect.objectContaining(deleted),
    );
    const left = await clarion.callOk<IntegrationDto[]>('GET', '/v1/integrations');
    expect(left.map(({ _id }) => _id)).not.toContain(id);
    const messages = await clarion.callOk<{ data: MessageDto[] }>('GET', '/v1/messages?channel=email');
    expect(messages.data[0]!.template).toMatchObject({ name: 'mail' });
  });
});
