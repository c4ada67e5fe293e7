import { ActiveOrganizations } from './active-organizations';

describe('the organizations that store events', () => {
  const [a, b, c] = ['a', 'b', 'c'];
  let now = 0;
  let active: ActiveOrganizations;

  beforeEach(() => {
    now = 0;
    active = new ActiveOrganizations(() => now);
  });

  it('says that an organization is alone when no other one stored events', () => {
    expect(active.isAlone(a!)).toBe(true);
    active.note(a!);
    active.note(a!);
    expect(active.isAlone(a!)).toBe(true);
    expect(active.isAlone(b!)).toBe(false);
  });

  it('says that no organization is alone while two of them store events in turn', () => {
    active.note(b!);
    for (const organizationId of [a, a, b, a]) active.note(organizationId!);
    expect([a, b, c].map((organizationId) => active.isAlone(organizationId!))).toEqual([false, false, false]);
  });

  it('says that an organization is alone again when the others have been silent for two seconds', () => {
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
