import { memoryOf } from '@clarion/contracts/core';
import type { Metrics, Tracing } from '@clarion/platform';
import type { ChannelStrategy, Prepared, ReadyStep } from '../sending/channel';
import { type HeldSteps, POSTPONE_MS } from './held-steps';

/** Bytes of messages that are rendered together, how many are when none was, and the least that one counts as. */
const PART_BYTES = 8 * 1024 * 1024;
const FIRST_PART = 20;
const LEAST_BYTES = 1_024;

type PreparationParts = { tracing: Pick<Tracing, 'shared'>; metrics: Pick<Metrics, 'batch' | 'stage'> };

/** Prepares the messages of steps as far as their tenant may have more of them in memory. */
export class Preparation {
  constructor(
    private readonly strategy: ChannelStrategy,
    private readonly held: HeldSteps,
    private readonly parts: PreparationParts,
  ) {}

  /**
   * The steps of one environment; those without room for a while come back. How large a message gets is known when it
   * is rendered, so each part is as large as the messages before it allow.
   */
  async run(steps: ReadyStep[], dispatch: (step: ReadyStep, prepared: Prepared) => void): Promise<void> {
    const { environmentId } = steps[0]!.item.step;
    let ready: [ReadyStep, Prepared][] = [];
    const dispatchReady = (): void => {
      for (const [step, prepared] of ready) dispatch(step, prepared);
      ready = [];
    };
    let largest = PART_BYTES / FIRST_PART;
    for (let left = steps; left.length > 0;) {
      if (!this.held.hasRoomForMessages(environmentId)) {
        dispatchReady();
        if (!(await this.held.untilRoomForMessages(environmentId))) {
          for (const { item } of left) void this.held.postpone(item.step, POSTPONE_MS);
          return;
        }
      }
      const part = left.slice(0, Math.max(1, Math.floor(PART_BYTES / largest)));
      left = left.slice(part.length);
      const prepared = await this.prepare(part);
      largest = LEAST_BYTES;
      for (const [index, step] of part.entries()) {
        const messages = prepared[index]!;
        const bytes = memoryOf(rowsOf(messages));
        this.held.keepMessages(step.item.step, messages, bytes);
        largest = Math.max(largest, bytes);
        ready.push([step, messages]);
      }
    }
    dispatchReady();
  }

  private async prepare(ready: ReadyStep[]): Promise<Prepared[]> {
    const { channel } = this.strategy;
    const contexts = ready.map(({ item }) => this.held.spanOf(item.step.id)?.context);
    const attributes = { 'clarion.channel': channel, 'clarion.steps': ready.length };
    const span = this.parts.tracing.shared('render', contexts, attributes);
    this.parts.metrics.batch('render', ready.length);
    const begin = performance.now();
    try {
      return await this.strategy.prepare(ready);
    } catch (error) {
      span?.fail(error);
      throw error;
    } finally {
      this.parts.metrics.stage('render', channel, (performance.now() - begin) / 1_000);
      span?.end();
    }
  }
}

const rowsOf = (prepared: Prepared): object[] =>
  prepared.kind === 'deliveries' ? prepared.deliveries.map(({ row }) => row) : prepared.messages;
