import { tenantShare } from '@clarion/contracts';
import { type EnvironmentQueue, FairQueue } from './fair-queue';

const organizationOf = (environmentId: string): string => environmentId[0]!;

describe('FairQueue', () => {
  const budget = { share: tenantShare({ environment: 10, organization: 20, gateway: 50 }), burstMs: 100 };

  it('gives the environments of an organization no more than its budget, and all organizations no more than theirs', () => {
    const queue = new FairQueue<string>(budget, organizationOf);
    for (const environmentId of ['a1', 'a2']) queue.of(environmentId).debit(99);
    expect(queue.of('a3').budgetError()).toBeUndefined();
    // The organization had 200 ms, of which 198 are used.
    queue.of('a3').debit(3);
    expect(queue.of('a4').budgetError()).toMatchObject({
      code: 'too_many_requests',
      message: expect.stringMatching(/all environments of this organization have used up.*of 20 ms a second/),
      headers: { 'Retry-After': '1' },
    });
    expect(queue.of('b1').budgetError()).toBeUndefined();
    for (const environmentId of ['b1', 'b2', 'c1', 'c2']) queue.of(environmentId).debit(80);
    expect(queue.of('d1').budgetError()).toMatchObject({
      message: expect.stringContaining('all callers of this gateway'),
    });
  });

  it('names the budget of the environment, and lets an operator set a larger one than its organization has', () => {
    const queue = new FairQueue<string>(budget, organizationOf);
    queue.of('a1').debit(101);
    expect(queue.of('a1').budgetError()).toMatchObject({ message: expect.stringMatching(/this environment.*10 ms/) });
    const raised = new FairQueue<string>(budget, organizationOf);
    raised.budgets = new Map([['b1', 40]]);
    raised.of('b1').debit(300);
    expect(raised.of('b1').overBudget()).toBeUndefined();
    raised.of('b1').debit(110);
    expect(raised.of('b1').overBudget()).toMatchObject({ msPerSecond: 40 });
  });

  it('applies what an operator has set for an organization to all its environments, also without a default', () => {
    const queue = new FairQueue<string>(undefined, organizationOf);
    queue.budgets = new Map([['a', 10]]);
    queue.of('a1').debit(79);
    expect(queue.of('a2').overBudget()).toBeUndefined();
    queue.of('a2').debit(2);
    expect(queue.of('a3').overBudget()).toMatchObject({ msPerSecond: 10, level: 'organization' });
    expect(queue.of('b1').overBudget()).toBeUndefined();
  });

  it('gives the environments of an organization together the turns of one, while they all have jobs', () => {
    const queue = new FairQueue<string>(undefined, organizationOf);
    const environments = ['a1', 'a2', 'a3', 'a4', 'b1'];
    for (const environmentId of environments) {
      for (let job = 0; job < 100; job += 1) queue.add(queue.of(environmentId), environmentId);
    }
    const turns = Array.from({ length: 80 }, () => {
      const next: EnvironmentQueue<string> = queue.inTurn()[0]!;
      const job = next.waiting.shift()!;
      queue.onTaken(next);
      next.charge(10);
      return job;
    });
    const ofOther = turns.filter((environmentId) => environmentId === 'b1').length;
    expect(ofOther).toBeGreaterThanOrEqual(38);
    expect(ofOther).toBeLessThanOrEqual(42);
    // The others have theirs in equal parts.
    for (const environmentId of environments.slice(0, 4)) {
      expect(turns.filter((each) => each === environmentId).length).toBeGreaterThanOrEqual(9);
    }
  });
});
