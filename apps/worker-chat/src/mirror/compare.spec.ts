import { compareSteps } from './compare';
import type { OtherStep } from './other-system';

const step = (status: string, more: Partial<OtherStep> = {}): OtherStep => ({
  ...{ subscriberId: 'ada', channel: 'email', status, detail: null },
  ...more,
});

describe('compareSteps', () => {
  it('finds nothing different in the same numbers of results, in any order', () => {
    const here = [step('completed'), step('failed'), step('completed', { channel: 'sms' })];
    const other = [step('completed', { channel: 'sms' }), step('failed'), step('completed')];
    expect(compareSteps(here, other)).toEqual({ same: 2, differences: [], isEarly: false });
  });

  it('takes a step that is missing in one system for the same as a canceled one in the other', () => {
    expect(compareSteps([step('canceled')], [])).toEqual({ same: 1, differences: [], isEarly: false });
    expect(compareSteps([], [step('canceled')])).toEqual({ same: 1, differences: [], isEarly: false });
  });

  it('finds a missing step of any other state, and says that it may still come', () => {
    for (const status of ['completed', 'failed', 'skipped', 'merged', 'delayed']) {
      expect(compareSteps([step(status)], [])).toMatchObject({ differences: [{ kind: 'missing' }], isEarly: true });
      expect(compareSteps([], [step(status)])).toMatchObject({ differences: [{ kind: 'extra' }], isEarly: true });
    }
    const both = compareSteps([step('canceled'), step('completed')], []);
    expect(both.differences).toMatchObject([{ kind: 'missing', here: 'sent, skipped' }]);
  });

  it('finds another result, with the reasons that both systems have', () => {
    const found = compareSteps([step('completed')], [step('canceled', { detail: 'no address' })]);
    expect(found).toMatchObject({
      differences: [{ kind: 'outcome', here: 'sent', other: 'skipped', reason: 'the other system: no address' }],
      isEarly: false,
    });
  });
});
