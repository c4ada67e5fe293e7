import type { TemplateRenderer } from '@clarion/content';
import type { EnvironmentId } from '@clarion/contracts';
import type { WorkflowRepository } from '@clarion/persistence';
import { WorkflowDirectory } from './workflow-directory';

describe('WorkflowDirectory', () => {
  const [environmentId, other] = ['own', 'other'] as EnvironmentId[];
  /** How many workflows each statement asked for. */
  let asked: number[];
  let payloadSchemaBytes: number;
  let directory: WorkflowDirectory;

  beforeEach(() => {
    // Entries expire after some seconds, which are longer on a busy machine.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    asked = [];
    payloadSchemaBytes = 0;
    const findTriggerable = (_: EnvironmentId, ids: string[]) => {
      asked.push(ids.length);
      return Promise.resolve(ids.map((workflowId) => ({ workflowId, payloadSchemaBytes })));
    };
    directory = new WorkflowDirectory({ findTriggerable } as unknown as WorkflowRepository, {} as TemplateRenderer);
  });
  afterEach(() => jest.useRealTimers());

  const names = (count: number, prefix = 'w'): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

  it('keeps 5,000 workflows without a payload schema', async () => {
    await directory.find(environmentId!, names(5_000));
    await directory.find(environmentId!, names(5_000));
    expect(asked).toEqual([5_000]);
    await directory.find(other!, names(1));
    await directory.find(environmentId!, names(1));
    expect(asked).toEqual([5_000, 1, 1]);
  });

  it('keeps fewer workflows with large payload schemas', async () => {
    payloadSchemaBytes = 64 * 1024;
    // Each counts as 17 workflows.
    await directory.find(environmentId!, names(294));
    await directory.find(environmentId!, names(294));
    expect(asked).toEqual([294]);
    directory.forget(environmentId!);
    await directory.find(environmentId!, names(295));
    await directory.find(environmentId!, names(295));
    expect(asked).toEqual([294, 295, 294]);
  });
});
