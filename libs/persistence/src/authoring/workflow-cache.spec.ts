import { type EnvironmentId, newId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { WorkflowCache, type WorkflowReference } from './workflow-cache';

const MIB = 1024 * 1024;

describe('WorkflowCache', () => {
  /** The ids that each statement asked for. */
  let asked: string[][];
  /** Characters of the steps of each workflow, and how many rows a statement returns. */
  let characters: number;
  let leading: number;
  let cache: WorkflowCache;

  beforeEach(() => {
    asked = [];
    characters = 1_000;
    leading = Infinity;
    const rows = (_: string, [ids]: [string[]]) => {
      asked.push(ids);
      const steps = ['x'.repeat(characters)];
      return Promise.resolve(
        ids.slice(0, leading).map((id, at) => {
          const environmentId = environmentOf.get(id)!;
          return { id, place: at + 1, environmentId, steps, name: `Workflow ${id}`, pageRows: ids.length };
        }),
      );
    };
    cache = new WorkflowCache({ rows, organizations: { of: (id: string) => id } } as unknown as Database);
  });

  const environmentOf = new Map<string, EnvironmentId>();
  const reference = (environmentId = 'one'): WorkflowReference => {
    const workflowId = newId();
    environmentOf.set(workflowId, environmentId as EnvironmentId);
    return { environmentId: environmentId as EnvironmentId, workflowId, workflowVersion: 1, workflowUpdatedAt: 1 };
  };
  const nameOf = async (one: WorkflowReference) => (await cache.load([one]))(one)!.name;
  const references = (count: number, environmentId?: string) =>
    Array.from({ length: count }, () => reference(environmentId));

  it('reads each version once', async () => {
    const [one, other] = [reference(), reference()];
    const workflowOf = await cache.load([one, one, other]);
    expect([one, other].map((each) => workflowOf(each)!.name)).toEqual(
      [one, other].map(({ workflowId }) => `Workflow ${workflowId}`),
    );
    await cache.load([other, one]);
    expect(asked).toEqual([[one.workflowId, other.workflowId]]);
  });

  it('leaves the workflows that one statement does not return to the next call', async () => {
    leading = 2;
    const all = references(5);
    const parts: number[] = [];
    for (let left = all; left.length > 0;) {
      const workflowOf = await cache.load(left);
      parts.push(left.filter((each) => workflowOf(each)).length);
      left = left.filter((each) => !workflowOf(each));
    }
    expect(parts).toEqual([2, 2, 1]);
    expect(asked.map((ids) => ids.length)).toEqual([5, 3, 1]);
  });

  it('rejects a batch whose workflow was deleted, which no later call would find', async () => {
    const rows = () => Promise.resolve([]);
    cache = new WorkflowCache({ rows } as unknown as Database);
    await expect(cache.load([reference()])).rejects.toThrow('deleted meanwhile');
  });

  it('keeps the workflows of an environment in 16 MiB, and those of others', async () => {
    const other = reference('other');
    await nameOf(other);
    characters = 5 * MIB;
    const large = references(4);
    for (const each of large) await nameOf(each);
    asked = [];
    for (const each of [...large.slice(1), other]) await nameOf(each);
    expect(asked).toEqual([]);
    await nameOf(large[0]!);
    expect(asked).toEqual([[large[0]!.workflowId]]);
  });

  it('gives a batch its workflows after others have displaced them', async () => {
    characters = 5 * MIB;
    const own = references(2);
    await cache.load([own[0]!]);
    const workflowOf = await cache.load(own);
    await cache.load(references(4));
    expect(own.map((each) => workflowOf(each)!.name)).toEqual(own.map(({ workflowId }) => `Workflow ${workflowId}`));
  });
});
