import type { EnvironmentId } from '@clarion/contracts';
import type { NewMessage } from '@clarion/persistence';
import { SUPPRESSED_ERROR } from '@clarion/rules';
import { countMessages, endToEndSeconds } from './delivery-metrics';
import type { StepResult } from './pipeline/step-result';

describe('delivery metrics', () => {
  afterEach(() => jest.restoreAllMocks());

  const counted = (state: StepResult['state'], messages: Partial<NewMessage>[], inDoubt = false): string[] => {
    const counts: string[] = [];
    const metrics = {
      message: (...labels: string[]) => void counts.push(labels.join(' ')),
    };
    const step = { environmentId: 'env' as EnvironmentId, inDoubt };
    countMessages(metrics, 'email', step, { state, messages: messages as NewMessage[] });
    return counts;
  };
  const providerId = 'sendgrid';

  it('counts each message with its provider and outcome', () => {
    expect(counted('completed', [{ status: 'sent', providerId }])).toEqual(['email sendgrid sent env']);
    expect(counted('failed', [{ status: 'error', providerId }])).toEqual(['email sendgrid failed env']);
    expect(counted('queued', [{ status: 'warning', providerId }])).toEqual(['email sendgrid retried env']);
    expect(
      counted('completed', [
        { status: 'sent', providerId },
        { status: 'error', providerId },
      ]),
    ).toEqual(['email sendgrid sent env', 'email sendgrid failed env']);
  });

  it('counts a failure without a provider when a failed step has no message', () => {
    expect(counted('failed', [])).toEqual(['email none failed env']);
  });

  it('counts a message in doubt in addition to its outcome', () => {
    expect(counted('completed', [{ status: 'sent', providerId }], true)).toEqual([
      'email sendgrid sent env',
      'email sendgrid in_doubt env',
    ]);
    expect(counted('failed', [{ status: 'warning', providerId, errorId: 'in_doubt' }], true)).toEqual([
      'email sendgrid in_doubt env',
    ]);
  });

  it('counts a suppressed address, and not a subscriber without an address', () => {
    const suppressed = { status: 'warning', errorId: SUPPRESSED_ERROR } as const;
    expect(counted('canceled', [suppressed])).toEqual(['email none suppressed env']);
    expect(counted('canceled', [{ status: 'warning', errorId: 'missing' }])).toEqual([]);
    expect(counted('canceled', [])).toEqual([]);
  });

  it('measures the time since the event, unless a delay or digest came before the step', () => {
    jest.spyOn(performance, 'now').mockReturnValue(10_500);
    // The date of the worker's machine does not matter.
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2099-01-01T00:00:00Z'));
    const step = { stepKey: 'mail', ageMs: 2_000, claimedAt: 10_000 };
    const workflow = (...types: [string, boolean?][]) =>
      ({
        steps: [
          ...types.map(([type, active = true]) => ({ stepId: type, type, active })),
          { stepId: 'mail', type: 'email', active: true },
          { stepId: 'later', type: 'delay', active: true },
        ],
      }) as never;
    expect(endToEndSeconds(step, workflow())).toBe(2.5);
    expect(endToEndSeconds(step, workflow(['sms'], ['delay', false]))).toBe(2.5);
    expect(endToEndSeconds(step, workflow(['delay']))).toBeUndefined();
    expect(endToEndSeconds(step, workflow(['digest']))).toBeUndefined();
  });
});
