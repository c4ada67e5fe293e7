import { Admission } from './admission';

const QUEUE = 'deliver.email';

describe('Admission', () => {
  let now: number;
  let admission: Admission;

  beforeEach(() => {
    now = 10_000;
    admission = new Admission(() => now);
  });

  it('admits every offer to a shallow queue and to a queue of unknown depth', () => {
    expect(admission.admit(QUEUE, 'noisy', 100_000)).not.toBe('rejected');
    admission.observe(QUEUE, 49);
    expect(admission.admit(QUEUE, 'noisy', 100_000)).not.toBe('rejected');
  });

  it('rejects a noisy environment from a deep queue and admits a quiet one', () => {
    admission.admit(QUEUE, 'noisy', 201);
    admission.admit(QUEUE, 'quiet', 200);
    admission.observe(QUEUE, 50);
    expect(admission.admit(QUEUE, 'noisy', 1)).toBe('rejected');
    expect(admission.admit(QUEUE, 'quiet', 1)).not.toBe('rejected');
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('rejected');
    expect(admission.admit(QUEUE, 'new', 1)).not.toBe('rejected');
  });

  it('rejects all environments of an organization that together are noisy', () => {
    for (const environmentId of ['a1', 'a2', 'a3']) admission.admit(QUEUE, environmentId, 150, 'a');
    admission.observe(QUEUE, 50);
    expect(admission.admit(QUEUE, 'a4', 1, 'a')).toBe('rejected');
    expect(admission.admit(QUEUE, 'b1', 1, 'b')).toBe('first');
  });

  it('admits a noisy environment again when the queue is shallow', () => {
    admission.admit(QUEUE, 'noisy', 201);
    admission.observe(QUEUE, 1_000);
    expect(admission.admit(QUEUE, 'noisy', 1)).toBe('rejected');
    admission.observe(QUEUE, 0);
    expect(admission.admit(QUEUE, 'noisy', 1)).not.toBe('rejected');
  });

  it('admits a noisy environment again two seconds after its last admitted offer', () => {
    admission.admit(QUEUE, 'noisy', 201);
    now += 1_900;
    admission.observe(QUEUE, 1_000);
    expect(admission.admit(QUEUE, 'noisy', 500)).toBe('rejected');
    now += 200;
    expect(admission.admit(QUEUE, 'noisy', 500)).not.toBe('rejected');
    expect(admission.admit(QUEUE, 'noisy', 1)).toBe('rejected');
  });

  it('sums the offers of the window', () => {
    admission.observe(QUEUE, 1_000);
    for (let offer = 0; offer < 3; offer += 1) {
      expect(admission.admit(QUEUE, 'steady', 100)).not.toBe('rejected');
      now += 500;
    }
    expect(admission.admit(QUEUE, 'steady', 100)).toBe('rejected');
    now += 600;
    admission.observe(QUEUE, 1_000);
    expect(admission.admit(QUEUE, 'steady', 100)).not.toBe('rejected');
  });

  it('counts the offers of each queue separately', () => {
    admission.admit(QUEUE, 'noisy', 201);
    admission.observe(QUEUE, 1_000);
    admission.observe('deliver.sms', 1_000);
    expect(admission.admit('deliver.sms', 'noisy', 1)).not.toBe('rejected');
    expect(admission.admit(QUEUE, 'noisy', 1)).toBe('rejected');
  });

  it('ignores an outdated depth', () => {
    admission.observe(QUEUE, 1_000);
    now += 1_000;
    admission.admit(QUEUE, 'noisy', 201);
    expect(admission.admit(QUEUE, 'noisy', 1)).toBe('rejected');
    now += 1_000;
    expect(admission.admit(QUEUE, 'noisy', 1)).not.toBe('rejected');
  });

  it('asks for the depth after twenty offers, at most twice per second', () => {
    const offer = (times: number) => {
      for (let time = 0; time < times; time += 1) admission.admit(QUEUE, 'e', 1);
    };
    offer(19);
    expect(admission.wantsDepth(QUEUE)).toBe(false);
    offer(1);
    expect(admission.wantsDepth(QUEUE)).toBe(true);
    expect(admission.wantsDepth(QUEUE)).toBe(false);
    offer(20);
    expect(admission.wantsDepth(QUEUE)).toBe(false);
    now += 500;
    expect(admission.wantsDepth(QUEUE)).toBe(true);
    now += 500;
    expect(admission.wantsDepth(QUEUE)).toBe(false);
  });

  it('lets a quiet environment go first while another one is noisy', () => {
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('in turn');
    expect(admission.admit(QUEUE, 'noisy', 201)).toBe('in turn');
    expect(admission.admit(QUEUE, 'quiet', 199)).toBe('first');
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('in turn');
    expect(admission.admit('deliver.sms', 'other', 1)).toBe('in turn');
    now += 2_000;
    expect(admission.admit(QUEUE, 'other', 1)).toBe('in turn');
  });

  it('lets a quiet environment go first while the sweeper offers a backlog', () => {
    admission.grant(QUEUE, 200);
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('in turn');
    admission.grant(QUEUE, 1);
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('first');
    now += 2_000;
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('in turn');
  });

  it('lets no more than a thousand items go first within the window', () => {
    admission.admit(QUEUE, 'noisy', 201);
    for (let quiet = 0; quiet < 10; quiet += 1) expect(admission.admit(QUEUE, `quiet-${quiet}`, 100)).toBe('first');
    expect(admission.admit(QUEUE, 'one-more', 1)).toBe('in turn');
    now += 2_000;
    admission.admit(QUEUE, 'noisy', 201);
    expect(admission.admit(QUEUE, 'one-more', 1)).toBe('first');
  });

  it('lets a quiet environment go first in a deep queue', () => {
    admission.observe(QUEUE, 50);
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('first');
    admission.observe(QUEUE, 49);
    expect(admission.admit(QUEUE, 'quiet', 1)).toBe('in turn');
  });
});
