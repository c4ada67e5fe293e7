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
    expect(admission.admits(QUEUE, 'noisy', 100_000)).toBe(true);
    admission.observe(QUEUE, 49);
    expect(admission.admits(QUEUE, 'noisy', 100_000)).toBe(true);
  });

  it('rejects a noisy environment from a deep queue and admits a quiet one', () => {
    admission.admits(QUEUE, 'noisy', 201);
    admission.admits(QUEUE, 'quiet', 200);
    admission.observe(QUEUE, 50);
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(false);
    expect(admission.admits(QUEUE, 'quiet', 1)).toBe(true);
    expect(admission.admits(QUEUE, 'quiet', 1)).toBe(false);
    expect(admission.admits(QUEUE, 'new', 1)).toBe(true);
  });

  it('admits a noisy environment again when the queue is shallow', () => {
    admission.admits(QUEUE, 'noisy', 201);
    admission.observe(QUEUE, 1_000);
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(false);
    admission.observe(QUEUE, 0);
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(true);
  });

  it('admits a noisy environment again two seconds after its last admitted offer', () => {
    admission.admits(QUEUE, 'noisy', 201);
    now += 1_900;
    admission.observe(QUEUE, 1_000);
    expect(admission.admits(QUEUE, 'noisy', 500)).toBe(false);
    now += 200;
    expect(admission.admits(QUEUE, 'noisy', 500)).toBe(true);
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(false);
  });

  it('sums the offers of the window', () => {
    admission.observe(QUEUE, 1_000);
    for (let offer = 0; offer < 3; offer += 1) {
      expect(admission.admits(QUEUE, 'steady', 100)).toBe(true);
      now += 500;
    }
    expect(admission.admits(QUEUE, 'steady', 100)).toBe(false);
    now += 600;
    admission.observe(QUEUE, 1_000);
    expect(admission.admits(QUEUE, 'steady', 100)).toBe(true);
  });

  it('counts the offers of each queue separately', () => {
    admission.admits(QUEUE, 'noisy', 201);
    admission.observe(QUEUE, 1_000);
    admission.observe('deliver.sms', 1_000);
    expect(admission.admits('deliver.sms', 'noisy', 1)).toBe(true);
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(false);
  });

  it('ignores an outdated depth', () => {
    admission.observe(QUEUE, 1_000);
    now += 1_000;
    admission.admits(QUEUE, 'noisy', 201);
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(false);
    now += 1_000;
    expect(admission.admits(QUEUE, 'noisy', 1)).toBe(true);
  });

  it('asks for the depth after twenty offers, at most twice per second', () => {
    const offer = (times: number) => {
      for (let time = 0; time < times; time += 1) admission.admits(QUEUE, 'e', 1);
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
});
