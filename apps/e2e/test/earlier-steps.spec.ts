import type { NotificationDto } from '@clarion/contracts';
import { allEnded, type Clarion, historyOf, startClarion, type StepInput } from './harness';

const WAIT: StepInput = {
  type: 'delay',
  stepId: 'wait',
  controlValues: { type: 'until_read', step: 'first', amount: 30, unit: 'minutes' },
};
const REMIND: StepInput = {
  type: 'in_app',
  stepId: 'remind',
  controlValues: {
    body: 'First: {{ steps.first.status }}, read {{ steps.first.read }}',
    runIf: { '!': [{ var: 'steps.first.read' }] },
  },
};

describe('state of earlier steps', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app'] });
    await clarion.workflow('in-app', [
      { type: 'in_app', stepId: 'first', controlValues: { body: 'Hello' } },
      WAIT,
      REMIND,
    ]);
  });
  afterAll(() => clarion.close());

  const isWaiting = ([notification]: NotificationDto[]): boolean =>
    notification?.jobs?.some(({ status }) => status === 'delayed') ?? false;
  const read = async (transactionId: string, subscriberId: string): Promise<void> => {
    const [message] = await clarion.messages(transactionId);
    await clarion.callOk('POST', `/v1/subscribers/${subscriberId}/messages/mark-as`, {
      messageId: message!._id,
      markAs: 'read',
    });
  };

  it('ends a delay when the awaited message is read, and skips the reminder', async () => {
    const transactionId = await clarion.trigger('in-app', 'ann');
    await clarion.activity(transactionId, isWaiting);
    await read(transactionId, 'ann');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!).slice(1)).toEqual([
      [
        'delay completed',
        'Pending: Step delayed',
        'Success: Delay is finished: the message of the step "first" was read',
      ],
      ['in_app skipped', 'Pending: Step queued', 'Success: Step skipped: its runIf rule is false'],
    ]);
  });

  it('waits for its time when the message is not read, and sends the reminder', async () => {
    const transactionId = await clarion.trigger('in-app', 'bob');
    await clarion.activity(transactionId, isWaiting);
    await clarion.makeDue(transactionId);
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)[1]).toEqual([
      'delay completed',
      'Pending: Step delayed',
      'Success: Delay is finished',
    ]);
    const [, reminder] = await clarion.messages(transactionId);
    expect(reminder!.content).toBe('First: delivered, read false');
  });
});
