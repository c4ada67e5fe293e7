import { newId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { WorkflowCache, type WorkflowReference } from './workflow-cache';

describe('WorkflowCache', () => {
  /** The ids that each statement asked for. */
  let asked: string[][];
  let bytes: number;
  let cache: WorkflowCache;

  beforeEach(() => {
    asked = [];
    bytes = 1_000;
    const rows = (_: string, [ids, versions]: [string[], number[]]) => {
      asked.push(ids);
      return Promise.resolve(ids.map((id, at) => ({ id, version: versions[at], bytes, name: `Workflow ${id}` })));
    };
    cache = new WorkflowCache({ rows } as unknown as Database);
  });

  const reference = (): WorkflowReference => ({ workflowId: newId(), workflowVersion: 1, workflowUpdatedAt: 1 });
  const nameOf = async (one: WorkflowReference) => (await cache.load([one]))(one).name;

  it('reads each version once', async () => {
    const [one, other] = [reference(), reference()];
    const workflowOf = await cache.load([one, one, other]);
    expect([one, other].map((each) => workflowOf(each).name)).toEqual(
      [one, other].map(({ workflowId }) => `Workflow ${workflowId}`),
    );
    await cache.load([other, one]);
    expect(asked).toEqual([[one.workflowId, other.workflowId]]);
  });

  it('keeps 1,000 workflows, and 32 MiB of steps, and forgets the first ones first', async () => {
    const small = Array.from({ length: 1_000 }, reference);
    await cache.load(small);
    await nameOf(small[0]!);
    expect(asked).toHaveLength(1);
    await nameOf(reference());
    await nameOf(small[1]!);
    expect(asked).toHaveLength(2);
    await nameOf(small[0]!);
    expect(asked).toHaveLength(3);

    bytes = 8 * 1024 * 1024;
    const large = Array.from({ length: 5 }, reference);
    for (const each of large) await nameOf(each);
    asked = [];
    for (const each of large.slice(1)) await nameOf(each);
    expect(asked).toEqual([]);
    await nameOf(large[0]!);
    await nameOf(small[999]!);
    expect(asked).toEqual([[large[0]!.workflowId], [small[999]!.workflowId]]);
  });

  it('gives a batch its workflows after others have displaced them', async () => {
    const own = [reference(), reference()];
    await cache.load([own[0]!]);
    const workflowOf = await cache.load(own);
    await cache.load(Array.from({ length: 1_000 }, reference));
    expect(own.map((each) => workflowOf(each).name)).toEqual(own.map(({ workflowId }) => `Workflow ${workflowId}`));
  });
});
