import type { NotificationDto } from '@clarion/contracts';
import { openQueue, QUEUE_NAMES } from '@clarion/queue';
import { allEnded, type Clarion, historyOf, startOwnClarion, type StepInput } from './harness';

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

const PUBLIC_URL = 'https://mail.clarion.test';
const ENDED_BY_READ = 'Success: Delay is finished: the message of the step "first" was read';

describe('state of earlier steps', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    const environment = { CLARION_PUBLIC_URL: PUBLIC_URL };
    clarion = await startOwnClarion({ roles: ['engine', 'in_app', 'email', 'sms'], environment });
    await clarion.integration('sendgrid', 'email');
    await clarion.integration('twilio', 'sms');
    await clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, {
      tracking: { opens: true, clicks: true },
    });
    await clarion.workflow('email', [
      {
        type: 'email',
        stepId: 'first',
        controlValues: {
          subject: 'Code',
          body: '<a href="https://shop.test/?a=1&b=2">Show</a> <a href="{{ unsubscribeUrl }}">Stop</a>',
        },
      },
      WAIT,
      {
        type: 'sms',
        controlValues: { body: 'Look' },
        filters: [{ children: [{ on: 'steps', field: 'first.read', operator: 'EQUAL', value: 'false' }] }],
      },
    ]);
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
      ['delay completed', 'Pending: Step delayed', ENDED_BY_READ],
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

  describe('of a tracked email', () => {
    const to = (subscriberId: string) => ({ subscriberId, email: `${subscriberId}@x.test`, phone: '+15550001111' });
    /** The links of the sent email, as paths. */
    const linksTo = (
      subscriberId: string,
    ): { open: string; click: string; unsubscribe: string; text: string; html: string } => {
      const call = clarion.provider.calls.find(({ body }) => body.includes(`${subscriberId}@x.test`))!;
      const mail = JSON.parse(call.body) as { content: { type: string; value: string }[]; headers: object };
      const html = mail.content.find(({ type }) => type === 'text/html')!.value;
      const path = (text: string, pattern: RegExp): string => pattern.exec(text)![1]!;
      return {
        html,
        open: path(html, /src="https:\/\/mail\.clarion\.test([^"]+)"/),
        click: path(html, /href="https:\/\/mail\.clarion\.test([^"]+)"/),
        unsubscribe: path(JSON.stringify(mail.headers), /"List-Unsubscribe":"<https:\/\/mail\.clarion\.test([^>]+)>"/),
        text: mail.content.find(({ type }) => type === 'text/plain')!.value,
      };
    };
    const waiting = async (subscriberId: string): Promise<string> => {
      const transactionId = await clarion.trigger('email', to(subscriberId));
      await clarion.activity(transactionId, isWaiting);
      return transactionId;
    };
    const visit = (path: string, init?: RequestInit) => fetch(clarion.url + path, { redirect: 'manual', ...init });
    const ends = async (transactionId: string): Promise<string[]> => {
      const [notification] = await clarion.activity(transactionId, allEnded());
      return historyOf(notification!).slice(1).flat();
    };

    it('sends no SMS when the email is opened, also after the queue has lost all jobs', async () => {
      const transactionId = await waiting('cara');
      for (const name of QUEUE_NAMES) {
        const { queue, close } = openQueue(clarion.context.queueBackend, name, clarion.resources.queue);
        await queue.obliterate({ force: true });
        await close();
      }
      expect((await visit(linksTo('cara').open)).status).toBe(200);
      expect(await ends(transactionId)).toEqual(expect.arrayContaining([ENDED_BY_READ, 'sms canceled']));
    });

    it('sends no SMS when a link is followed, and leaves the text part alone', async () => {
      const transactionId = await waiting('dan');
      const { click, text, html, unsubscribe } = linksTo('dan');
      expect(html).toContain(`<a href="${PUBLIC_URL}${unsubscribe}">Stop</a>`);
      expect(text).toContain('https://shop.test/?a=1&b=2');
      expect((await visit(click)).headers.get('location')).toBe('https://shop.test/?a=1&b=2');
      expect(await ends(transactionId)).toEqual(expect.arrayContaining([ENDED_BY_READ, 'sms canceled']));
      const [message] = await clarion.messages(transactionId);
      expect(message!.content).not.toContain('/t/');
    });

    it('sends the SMS when the email was not opened in time', async () => {
      const transactionId = await waiting('eve');
      await clarion.makeDue(transactionId);
      expect(await ends(transactionId)).toEqual(
        expect.arrayContaining(['Success: Delay is finished', 'sms completed', 'Success: Message sent']),
      );
    });

    it('does not wait for an email that the subscriber has unsubscribed from', async () => {
      await clarion.makeDue(await waiting('fay'));
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      expect((await visit(linksTo('fay').unsubscribe, { method: 'POST', body })).status).toBe(200);
      const history = historyOf(await clarion.run('email', to('fay')));
      expect(history.map(([step]) => step)).toEqual(['email canceled', 'delay completed', 'sms completed']);
      expect(history[1]).toContain('Success: Delay is finished: the step "first" has no message that can be read');
    });
  });

  it('does not wait for a message that was read before the delay begins', async () => {
    const pause: StepInput = { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } };
    await clarion.workflow('late', [
      { type: 'in_app', stepId: 'first', controlValues: { body: 'Hello' } },
      pause,
      WAIT,
    ]);
    const transactionId = await clarion.trigger('late', 'gil');
    await clarion.activity(transactionId, isWaiting);
    await read(transactionId, 'gil');
    await clarion.makeDue(transactionId);
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)[2]).toEqual(['delay completed', ENDED_BY_READ]);
  });
});
