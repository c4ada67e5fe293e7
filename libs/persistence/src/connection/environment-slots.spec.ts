import { type EnvironmentId, tenantShare } from '@clarion/contracts/core';
import { EnvironmentSlots, type SlotLimits } from './environment-slots';

describe('the transactions of one environment', () => {
  const slotsFor = (environment: number, waits: Pick<SlotLimits, 'waiting' | 'waitMs'>): EnvironmentSlots => {
    const share = tenantShare({ environment, organization: environment, gateway: 1_000 });
    return new EnvironmentSlots({ share: () => share, organizationOf: (id) => id, ...waits });
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('lets transactions over the share of their environment wait in order, and those of others not', async () => {
    const slots = slotsFor(2, { waiting: 10, waitMs: 60_000 });
    const began: string[] = [];
    const take = async (environmentId: EnvironmentId, name: string) => {
      const giveBack = await slots.take(environmentId);
      began.push(name);
      return giveBack;
    };
    const [first, second] = await Promise.all([take('a' as EnvironmentId, 'a1'), take('a' as EnvironmentId, 'a2')]);
    const third = take('a' as EnvironmentId, 'a3');
    const fourth = take('a' as EnvironmentId, 'a4');
    await take('b' as EnvironmentId, 'b1');
    await settled();
    expect(began).toEqual(['a1', 'a2', 'b1']);
    first();
    const newcomer = take('a' as EnvironmentId, 'a5');
    await third;
    second();
    await fourth;
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
    (await third)();
    await newcomer;
    expect(began.at(-1)).toBe('a5');
  });

  it('refuses a transaction when too many wait or it has waited too long, and frees its place', async () => {
    const slots = slotsFor(1, { waiting: 1, waitMs: 20 });
    const giveBack = await slots.take('a' as EnvironmentId);
    const waiting = slots.take('a' as EnvironmentId);
    const refusal = { code: 'unavailable', headers: { 'Retry-After': '1' } };
    await expect(slots.take('a' as EnvironmentId)).rejects.toMatchObject(refusal);
    await expect(waiting).rejects.toMatchObject(refusal);
    giveBack();
    (await slots.take('a' as EnvironmentId))();
    (await slots.take('a' as EnvironmentId))();
  });

  it('counts the slots of each piece of work, and lets a large one run alone', async () => {
    const slots = slotsFor(10, { waiting: 10, waitMs: 60_000 });
    const began: number[] = [];
    const take = async (size: number) => {
      const giveBack = await slots.take('a' as EnvironmentId, size);
      began.push(size);
      return giveBack;
    };
    const [first, second] = await Promise.all([take(6), take(4)]);
    const third = take(30);
    const fourth = take(1);
    first();
    await settled();
    expect(began).toEqual([6, 4]);
    second();
    (await third)();
    await fourth;
    expect(began).toEqual([6, 4, 30, 1]);
  });

  it('fails all waiting work of one environment', async () => {
    const slots = slotsFor(1, { waiting: 10, waitMs: 60_000 });
    const giveBack = await slots.take('a' as EnvironmentId);
    await slots.take('b' as EnvironmentId);
    const waiting = [slots.take('a' as EnvironmentId), slots.take('a' as EnvironmentId)];
    const other = slots.take('b' as EnvironmentId);
    slots.refuseWaiting('a' as EnvironmentId, new Error('no database'));
    for (const refused of waiting) await expect(refused).rejects.toThrow('no database');
    slots.refuseWaiting('b' as EnvironmentId, new Error('the other one'));
    await expect(other).rejects.toThrow('the other one');
    giveBack();
    (await slots.take('a' as EnvironmentId))();
  });

  it('begins what has room when the work before it has waited too long', async () => {
    const slots = slotsFor(2, { waiting: 10, waitMs: 20 });
    await slots.take('a' as EnvironmentId);
    const large = slots.take('a' as EnvironmentId, 2);
    const refused = expect(large).rejects.toMatchObject({ code: 'unavailable' });
    const small = slots.take('a' as EnvironmentId);
    await refused;
    (await small)();
  });

  it('counts the work of all environments of an organization, and of all organizations', async () => {
    const share = tenantShare({ environment: 2, organization: 3, gateway: 5 });
    const organizationOf = (id: EnvironmentId): string => id[0]!;
    const slots = new EnvironmentSlots({ share: () => share, organizationOf, waiting: 10, waitMs: 60_000 });
    const began: string[] = [];
    const take = async (name: string) => {
      const giveBack = await slots.take(name as EnvironmentId);
      began.push(name);
      return giveBack;
    };
    const a1 = await take('a1');
    const taken = [await take('a1'), await take('a2')];
    const waiting = [take('a3'), take('a2')];
    await settled();
    expect(began).toEqual(['a1', 'a1', 'a2']);
    await take('b1');
    const b2 = await take('b2');
    // Everything is in use: the organization that uses least is next, although another one has waited longer.
    const c1 = take('c1');
    await settled();
    expect(began.slice(3)).toEqual(['b1', 'b2']);
    b2();
    (await c1)();
    a1();
    (await waiting[0])!();
    (await waiting[1])!();
    expect(began.slice(5)).toEqual(['c1', 'a3', 'a2']);
    for (const giveBack of taken) giveBack();
  });
});
