import { check, type FaultKind } from './checker';
import type { History, ProviderCall, StepRecord } from './history';

const MAIL = { steps: [{ key: 'mail', type: 'email' as const }] };
const DELAYED = {
  steps: [
    { key: 'wait', type: 'delay' as const },
    { key: 'mail', type: 'email' as const },
  ],
  timerMs: 5_000,
};
const DIGESTED = {
  steps: [
    { key: 'collect', type: 'digest' as const },
    { key: 'mail', type: 'email' as const },
  ],
};

const step = (more: Partial<StepRecord> = {}): StepRecord => ({
  transactionId: 'a',
  subscriberId: 'ann',
  notificationId: 'n-a',
  stepKey: 'mail',
  position: 0,
  type: 'email',
  state: 'completed',
  queuedAt: 10,
  notifiedAt: 10,
  endedAt: 20,
  flaggedResends: 0,
  flaggedFailures: 0,
  messages: 1,
  ...more,
});
const call = (more: Partial<ProviderCall> = {}): ProviderCall => ({
  at: 15,
  transactionId: 'a',
  subscriberId: 'ann',
  stepKey: 'mail',
  key: 'message-a',
  accepted: true,
  ...more,
});

/** One event that was sent, stored and delivered. */
const sound = (): History => ({
  events: [{ transactionId: 'a', workflow: 'mail', subscribers: ['ann'], sentAt: 0, acknowledgedAt: 5, call: 1 }],
  responses: [{ status: 201 }, { status: 0 }, { status: 503, retryAfter: '1' }],
  calls: [call()],
  records: { triggers: ['a'], steps: [step()], open: [] },
  workflows: { mail: MAIL, delayed: DELAYED, digested: DIGESTED },
});

/** Two events of one call, collected by the digest of the first one. */
function digested(): History {
  const history = sound();
  const [event] = history.events;
  history.events = ['a', 'b'].map((transactionId) => ({ ...event!, transactionId, workflow: 'digested' }));
  history.records = {
    triggers: ['a', 'b'],
    open: [],
    steps: [
      step({ stepKey: 'collect', type: 'digest', messages: 0, endedAt: 9 }),
      step({ position: 1 }),
      step({
        transactionId: 'b',
        notificationId: 'n-b',
        stepKey: 'collect',
        type: 'digest',
        state: 'merged',
        messages: 0,
      }),
    ],
  };
  history.calls = [call({ digested: ['a', 'b'] })];
  return history;
}

const kinds = (history: History, ...options: [Parameters<typeof check>[1]?]): FaultKind[] =>
  check(history, ...options).map(({ kind }) => kind);

describe('checker', () => {
  it('finds nothing in a sound history', () => {
    expect(check(sound())).toEqual([]);
    expect(check(digested())).toEqual([]);
  });

  it('accepts an event without an acknowledgement, stored or not', () => {
    const history = sound();
    delete history.events[0]!.acknowledgedAt;
    expect(check(history)).toEqual([]);
    history.calls = [];
    history.records = { triggers: [], steps: [], open: [] };
    expect(check(history)).toEqual([]);
  });

  it('accepts a second call that an execution detail reports', () => {
    const history = sound();
    history.calls.push(call());
    history.records.steps = [step({ flaggedResends: 1 })];
    expect(check(history)).toEqual([]);
    history.calls.push(call());
    history.records.steps = [step({ flaggedResends: 2 })];
    expect(check(history)).toEqual([]);
    history.calls.pop();
    history.calls[0]!.accepted = false;
    history.records.steps = [step({ flaggedFailures: 1 })];
    expect(check(history)).toEqual([]);
  });

  const broken: [fault: FaultKind, title: string, breakIt: (history: History) => void][] = [
    ['lost event', 'an acknowledged event without a trigger', ({ records }) => void (records.triggers = [])],
    ['lost event', 'a recipient without a notification', ({ events }) => void events[0]!.subscribers.push('bob')],
    ['doubled event', 'an event with two triggers', ({ records }) => void records.triggers.push('a')],
    [
      'doubled event',
      'a recipient with two notifications',
      ({ records }) => void records.steps.push(step({ notificationId: 'n-other' })),
    ],
    ['open step', 'open work', ({ records }) => void records.open.push({ transactionId: 'a', type: 'email' })],
    ['open step', 'a step in a state that is no end', ({ records }) => void (records.steps[0]!.state = 'running')],
    ['missing step', 'a step without a record', ({ workflows }) => void (workflows['mail'] = DELAYED)],
    ['missing step', 'a step with two records', ({ records }) => void records.steps.push(step())],
    ['failed step', 'a step that failed', ({ records }) => void (records.steps[0]!.state = 'failed')],
    ['missing message', 'a step without a message', ({ records }) => void (records.steps[0]!.messages = 0)],
    ['missing message', 'a step with two messages', ({ records }) => void (records.steps[0]!.messages = 2)],
    ['missing call', 'a message that was not sent', (history) => void (history.calls = [])],
    ['missing call', 'a message that was refused', ({ calls }) => void (calls[0]!.accepted = false)],
    ['doubled call', 'two calls without a flag', ({ calls }) => void calls.push(call({ at: 16 }))],
    [
      'doubled call',
      'three calls with one interruption on record',
      (history) => {
        history.records.steps = [step({ flaggedResends: 1 })];
        history.calls.push(call(), call());
      },
    ],
    [
      'doubled call',
      'three calls with one failure on record',
      (history) => {
        history.records.steps = [step({ flaggedFailures: 1 })];
        history.calls.push(call(), call());
      },
    ],
    [
      'changed key',
      'a resend with another key',
      (history) => {
        history.records.steps = [step({ flaggedResends: 1 })];
        history.calls.push(call({ key: 'other' }));
      },
    ],
    [
      'unknown call',
      'a call for an event without a record',
      ({ calls }) => void calls.push(call({ transactionId: 'b' })),
    ],
    [
      'wrong order',
      'a step that began before the one before it had ended',
      ({ records }) => void records.steps.push(step({ stepKey: 'text', position: 1, queuedAt: 19 })),
    ],
    ['wrong response', 'a 500', ({ responses }) => void responses.push({ status: 500 })],
    ['wrong response', 'a 503 without Retry-After', ({ responses }) => void responses.push({ status: 503 })],
    ['wrong response', 'a refused event', ({ responses }) => void responses.push({ status: 201, refused: 'why' })],
  ];

  it.each(broken)('reports %s: %s', (fault, _, breakIt) => {
    const history = sound();
    breakIt(history);
    expect(kinds(history)).toContain(fault);
  });

  it('reports a timer that fires early, by the records and by the calls', () => {
    const history = sound();
    history.events[0]!.workflow = 'delayed';
    const delayed = (endedAt: number) => [
      step({ stepKey: 'wait', type: 'delay', messages: 0, endedAt }),
      step({ position: 1, queuedAt: endedAt, endedAt: endedAt + 10 }),
    ];
    history.records.steps = delayed(5_000);
    history.calls = [call({ at: 5_005 })];
    expect(check(history)).toEqual([]);
    history.calls = [call({ at: 4_990 })];
    expect(kinds(history)).toEqual(['early timer']);
    expect(kinds(history, { earlyMs: 10 })).toEqual([]);
    history.calls = [call({ at: 5_005 })];
    history.records.steps = delayed(4_999);
    expect(kinds(history)).toEqual(['early timer']);
  });

  it('reports an event that is in no digest, in two digests, or not in the order of its call', () => {
    const none = digested();
    none.calls[0]!.digested = ['a'];
    expect(kinds(none)).toEqual(['digest without event']);
    const two = digested();
    two.calls.push(call({ transactionId: 'b', digested: ['b'] }));
    expect(kinds(two)).toContain('event in two digests');
    const turned = digested();
    turned.calls[0]!.digested = ['b', 'a'];
    expect(kinds(turned)).toEqual(['wrong order']);
  });

  it('accepts the failure of a step that may fail', () => {
    const history = sound();
    history.records.steps = [step({ state: 'failed' })];
    history.calls = [];
    expect(kinds(history)).toEqual(['failed step']);
    expect(kinds(history, { mayFail: () => true })).toEqual([]);
  });
});
