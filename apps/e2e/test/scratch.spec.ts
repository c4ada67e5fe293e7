import { allEnded, type Clarion, recordOf, startClarion } from './harness';

describe('email', () => {
  let clarion: Clarion;
  beforeAll(async () => {
    clarion = await startClarion();
  });
  afterAll(() => clarion.close());

  const workflow = (workflowId: string, steps: unknown[]) =>
    clarion.must('POST', '/v2/workflows', { name: workflowId, workflowId, active: true, steps });

  it('sends', async () => {
    await clarion.must('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials: { apiKey: 'SG.key', from: 'a@b.co', senderName: 'A' },
    });
    await workflow('mail', [
      {
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'Hi {{payload.name}}', body: '<p>Hello {{subscriber.firstName}}</p>' },
      },
    ]);
    const { transactionId } = await clarion.must<{ transactionId: string }>('POST', '/v1/events/trigger', {
      name: 'mail',
      to: { subscriberId: 'ann', email: 'ann@x.co', firstName: 'Ann' },
      payload: { name: 'A' },
    });
    const [n] = await clarion.activity(transactionId, allEnded());
    console.log(
      n!.jobs!.map((j) => [j.status, ...recordOf(j)]),
      clarion.provider.calls[0],
    );
    console.log((await clarion.must<{ data: unknown[] }>('GET', '/v1/messages')).data);
    console.log(clarion.logged.join(''));
  });
});
