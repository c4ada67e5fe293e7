import type { JsonObject, StoredPreference } from '@clarion/contracts';
import { decideTimer, extensionOf, refuseTimer, type TimerFacts } from './timer-step';

const now = new Date('2026-03-02T10:00:00.000Z');

/** Open on Tuesdays only; now it is Monday. */
const tuesdays: StoredPreference = {
  workflowId: null,
  contextKey: '',
  preferences: {},
  schedule: {
    isEnabled: true,
    weeklySchedule: { tuesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
  },
};

const factsOf = (type: TimerFacts['type'], controlValues: object = {}, more: Partial<TimerFacts> = {}): TimerFacts => ({
  type,
  authored: { filters: [], controlValues: controlValues as TimerFacts['authored']['controlValues'] },
  variables: { payload: { order: 'o-1' }, subscriber: {} },
  now,
  workflow: { id: 'w' },
  notification: { critical: false, contextKeys: null },
  preferences: [],
  ...more,
});
const decide = (type: TimerFacts['type'], controlValues: object, more?: Partial<TimerFacts>) => {
  const facts = factsOf(type, controlValues, more);
  return decideTimer(facts, facts.authored.controlValues);
};

describe('delay until a message is read', () => {
  const untilRead = { type: 'until_read', step: 'mail', amount: 30, unit: 'minutes' };
  const decided = (state?: object, controls: object = untilRead) => {
    const unread = { status: 'sent', seen: false, read: false, clicked: false };
    const steps: JsonObject = state ? { mail: { ...unread, ...state } } : {};
    const verdict = decide('delay', controls, { variables: { payload: {}, subscriber: {}, steps } });
    if (verdict.kind === 'delayed') return `waits for ${verdict.awaits} until ${verdict.until.toISOString()}`;
    return 'line' in verdict ? `${verdict.kind}: ${verdict.line.detail}` : verdict.kind;
  };

  it('waits for an unread message, and for nothing else', () => {
    const waits = 'waits for mail until 2026-03-02T10:30:00.000Z';
    expect(decided({})).toBe(waits);
    expect(decided({ status: 'delivered', seen: true })).toBe(waits);
    expect(decided({ read: true })).toBe('completed: Delay is finished: the message of the step "mail" was read');
    const missing = 'completed: Delay is finished: the step "mail" has no message that can be read';
    for (const status of ['failed', 'bounced', 'skipped', 'completed']) expect(decided({ status })).toBe(missing);
    expect(decided()).toBe(missing);
  });

  it('fails without a step or an amount of time', () => {
    const failed = 'failed: Invalid delay configuration';
    expect(decided({}, { ...untilRead, step: ' ' })).toBe(failed);
    expect(decided({}, { ...untilRead, amount: 0 })).toBe(failed);
  });
});

describe('steps of the engine', () => {
  const filters = (value: string): TimerFacts['authored']['filters'] => [
    {
      type: 'GROUP',
      value: 'AND',
      isNegated: false,
      children: [{ on: 'payload', field: 'order', value, operator: 'EQUAL' }],
    },
  ];

  it('does not run a step against its conditions, its rule or the schedule', () => {
    const refused = (facts: TimerFacts) => {
      const verdict = refuseTimer(facts);
      return verdict && 'line' in verdict ? `${verdict.kind}: ${verdict.line.detail}` : verdict;
    };
    expect(refused(factsOf('custom'))).toBeUndefined();
    expect(
      refused(factsOf('custom', {}, { authored: { filters: filters('o-1'), controlValues: {} } })),
    ).toBeUndefined();
    expect(refused(factsOf('custom', {}, { authored: { filters: filters('x'), controlValues: {} } }))).toBe(
      'skipped: Step was skipped based on steps conditions',
    );
    expect(refused(factsOf('custom', { skip: { '==': [1, 2] } }))).toBe(
      'skipped: Step skipped: its skip rule is false',
    );
    expect(refused(factsOf('digest', { runIf: { '==': [1, 2] } }))).toBe(
      'skipped: Step skipped: its runIf rule is false',
    );
    expect(refused(factsOf('custom', { skip: { nonsense: [] } }))).toBe('failed: Bridge execution failed');
    expect(refused(factsOf('throttle', {}, { preferences: [tuesdays] }))).toBe(
      "canceled: The step was skipped as it fell outside the subscriber's schedule",
    );
    expect(refused(factsOf('delay', {}, { preferences: [tuesdays] }))).toBeUndefined();
  });

  it('delays a delay step until its time', () => {
    const until = new Date('2026-03-02T12:00:00.000Z');
    expect(decide('delay', { amount: 2, unit: 'hours' })).toEqual({
      kind: 'delayed',
      until,
      line: {
        status: 'Pending',
        detail: 'Step delayed',
        raw: { delay: 7_200_000, untilDate: until.toISOString() },
      },
    });
    expect(decide('delay', { amount: 2, unit: 'hours' }, { overrides: { delay: { amount: 1 } } })).toMatchObject({
      until: new Date('2026-03-02T11:00:00.000Z'),
    });
  });

  it('counts a delay from the time when its step was reached', () => {
    const reachedAt = new Date('2026-03-02T09:30:00.000Z');
    expect(decide('delay', { amount: 2, unit: 'hours' }, { reachedAt })).toMatchObject({
      until: new Date('2026-03-02T11:30:00.000Z'),
    });
    expect(decide('delay', { amount: 1, unit: 'minutes' }, { reachedAt })).toMatchObject({
      kind: 'delayed',
      until: new Date('2026-03-02T09:31:00.000Z'),
    });
  });

  it('collects the events of a digest step under its key', () => {
    expect(decide('digest', { amount: 1, unit: 'hours', digestKey: 'order' })).toMatchObject({
      kind: 'digest',
      key: 'o-1',
      delayMs: 3_600_000,
      digest: { type: 'regular', amount: 1, unit: 'hours', digestKey: 'order' },
    });
    const lookBackWindow = { amount: 5, unit: 'minutes' };
    expect(decide('digest', { amount: 1, unit: 'hours', lookBackWindow })).toMatchObject({ lookBackMs: 300_000 });
    expect(decide('digest', { amount: 1, unit: 'hours', digestKey: 'gone' })).toMatchObject({
      kind: 'failed',
      line: { detail: 'Digest key is missing in the payload', raw: { digestKey: 'gone' } },
    });
  });

  it('throttles by key, and lets everything through without a window', () => {
    expect(decide('throttle', {})).toMatchObject({ kind: 'completed', line: { detail: 'Step completed' } });
    expect(decide('throttle', { amount: 1, unit: 'hours', threshold: 3, throttleKey: 'order' })).toEqual({
      kind: 'throttle',
      key: 'o-1',
      until: new Date('2026-03-02T11:00:00.000Z'),
      windowMs: 3_600_000,
      threshold: 3,
    });
    expect(decide('throttle', { amount: 1, unit: 'hours', throttleKey: 'gone' })).toMatchObject({ kind: 'failed' });
  });

  it('reports what is wrong with the time of a step', () => {
    const detail = (type: TimerFacts['type'], controls: object) => {
      const verdict = decide(type, controls);
      return verdict.kind === 'failed' && verdict.line.detail;
    };
    expect(detail('delay', { amount: -1, unit: 'hours' })).toBe('Invalid delay configuration');
    expect(detail('delay', { amount: 200, unit: 'days' })).toBe('Defer duration limit exceeded');
    expect(detail('digest', { amount: 1, unit: 'lightyears' })).toBe('Invalid delay configuration');
    expect(detail('throttle', { type: 'dynamic', dynamicKey: '2020-01-01T00:00:00.000Z' })).toBe(
      'Throttle window date is in the past',
    );
  });

  it('returns the controls of a custom step without its rules as its output', () => {
    expect(decide('custom', { total: '5', skip: { '==': [1, 1] } })).toEqual({
      kind: 'completed',
      line: { status: 'Success', detail: 'Step completed', raw: { total: '5' } },
      output: { total: '5' },
    });
  });
});

describe('extensionOf', () => {
  const facts = { workflow: { id: 'w', preferences: {} }, preferences: [tuesdays], contextKeys: null, now };

  it('extends a step to the next opening and counts the extension', () => {
    const until = new Date('2026-03-03T09:00:00.000Z');
    expect(extensionOf({ ...facts, extensions: 1 })).toEqual({
      until,
      extensions: 2,
      line: {
        status: 'Pending',
        detail: 'Step was extended to the next available time in the subscriber schedule',
        raw: {
          delay: 23 * 3_600_000,
          nextAvailableTime: until.toISOString(),
          scheduleExtensionsCount: 2,
          maximum: 3,
        },
      },
    });
  });

  it('does not extend a step more than three times', () => {
    const extension = extensionOf({ ...facts, extensions: 3 })!;
    expect(extension.until).toBeUndefined();
    expect(extension.line.detail).toBe(
      'Step was executed due to maximum number of subscriber schedule extensions reached',
    );
  });

  it('does not extend a step when the schedule is open or absent or the workflow is critical', () => {
    const open = new Date('2026-03-03T10:00:00.000Z');
    expect(extensionOf({ ...facts, now: open, extensions: 0 })).toBeUndefined();
    expect(extensionOf({ ...facts, preferences: [], extensions: 0 })).toBeUndefined();
    const critical = { id: 'w', preferences: { user: { all: { readOnly: true } } } };
    expect(extensionOf({ ...facts, workflow: critical, extensions: 0 })).toBeUndefined();
  });
});
