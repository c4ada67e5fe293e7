import type { EnvironmentId } from '@clarion/contracts';
import { ActiveEnvironments } from './active-environments';

describe('the environments that store events', () => {
  const [a, b, c] = ['a', 'b', 'c'] as EnvironmentId[];
  let now = 0;
  let active: ActiveEnvironments;

  beforeEach(() => {
    now = 0;
    active = new ActiveEnvironments(() => now);
  });

  it('says that an environment is alone when no other one stored events', () => {
    expect(active.isAlone(a!)).toBe(true);
    active.note(a!);
    active.note(a!);
    expect(active.isAlone(a!)).toBe(true);
    expect(active.isAlone(b!)).toBe(false);
  });

  it('says that no environment is alone while two of them store events in turn', () => {
    active.note(b!);
    for (const environmentId of [a, a, b, a]) active.note(environmentId!);
    expect([a, b, c].map((environmentId) => active.isAlone(environmentId!))).toEqual([false, false, false]);
  });

  it('says that an environment is alone again when the others have been silent for two seconds', () => {
    active.note(b!);
    now = 1_500;
    active.note(a!);
    expect(active.isAlone(a!)).toBe(false);
    now = 2_001;
    active.note(a!);
    expect(active.isAlone(a!)).toBe(true);
    expect(active.isAlone(b!)).toBe(false);
    now = 4_002;
    expect(active.isAlone(b!)).toBe(true);
  });
});
