import type { EnvironmentId } from '@clarion/contracts/core';
import { TransactionSlots } from './transaction-slots';

describe('the transactions of one environment', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('lets transactions over the share of their environment wait in order, and those of others not', async () => {
    const slots = new TransactionSlots({ open: 2, waiting: 10, waitMs: 60_000 });
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
    const slots = new TransactionSlots({ open: 1, waiting: 1, waitMs: 20 });
    const giveBack = await slots.take('a' as EnvironmentId);
    const waiting = slots.take('a' as EnvironmentId);
    const refusal = { code: 'unavailable', headers: { 'Retry-After': '1' } };
    await expect(slots.take('a' as EnvironmentId)).rejects.toMatchObject(refusal);
    await expect(waiting).rejects.toMatchObject(refusal);
    giveBack();
    (await slots.take('a' as EnvironmentId))();
    (await slots.take('a' as EnvironmentId))();
  });
});
