import { newId } from '@clarion/contracts';
import {
  ContextRepository,
  FanOutRepository,
  InboxRepository,
  StepRepository,
  SurroundingsRepository,
  SweepRepository,
  WorkflowCache,
} from '@clarion/persistence';
import { Batcher } from '@clarion/platform';
import { QueueConsumer, StepOffers } from '@clarion/queue';
import type { Resources, RunningRole } from '@clarion/runtime';
import { FanOut } from './fan-out';
import { RecipientChannels } from './recipient-channels';
import { Sweeper } from './sweeper';
import { Timers } from './timers';

/** Rows that are claimed together, and batches that run side by side. */
const BATCH_SIZE = 500;
const BATCHES = 2;
const JOBS_AT_ONCE = 20;
const STOP_MS = 20_000;
const UNSNOOZE_SIZE = 500;

/** Triggers become notifications, timers fire, and what got stuck moves on. */
export async function startEngine({
  database,
  producer,
  engine,
  queue,
  relay,
  secrets,
  templates,
  logger,
}: Resources): Promise<RunningRole> {
  const workflows = new WorkflowCache(database);
  const offers = new StepOffers(producer);
  const timers = new Timers({
    store: new StepRepository(database),
    workflows,
    surroundings: new SurroundingsRepository(database),
    templates,
    offers,
    newId,
    log: logger,
  });
  const fanOut = new FanOut({
    store: new FanOutRepository(database),
    workflows,
    contexts: new ContextRepository(database),
    channels: new RecipientChannels(database, secrets),
    offers,
    runTimers: (stepIds) => timers.run(stepIds),
    newId,
    now: () => new Date(),
    log: logger,
  });
  const inbox = new InboxRepository(database);
  const sweeper = new Sweeper({
    store: new SweepRepository(database),
    offers: new StepOffers(producer, 'granted'),
    unsnooze: async () => {
      const messages = await inbox.unsnoozeDue(UNSNOOZE_SIZE);
      await relay.publish(
        messages.map(({ id, environmentId, subscriberId }) => ({
          v: 1,
          kind: 'message.updated',
          environmentId,
          subscriberId,
          messageIds: [id],
        })),
      );
      return messages.length;
    },
    log: logger,
  });
  const triggerIntake = intake((ids) => fanOut.run(ids));
  const timerIntake = intake((ids) => timers.run(ids));
  const options = { ...queue, concurrency: JOBS_AT_ONCE };
  const consumers = [
    await QueueConsumer.open(engine, 'trigger', ({ triggerIds }) => addAll(triggerIntake, triggerIds), options),
    await QueueConsumer.open(engine, 'timer', ({ stepIds }) => addAll(timerIntake, stepIds), options),
  ];
  sweeper.start();
  return {
    async stop() {
      await sweeper.stop();
      await Promise.all(consumers.map((consumer) => consumer.close(STOP_MS)));
      await triggerIntake.drain();
      await timerIntake.drain();
      await timers.settled();
      await fanOut.stop();
    },
  };
}

/** Many small jobs that arrive together are worked on as one. */
function intake(run: (ids: string[]) => Promise<void>): Batcher<string, void> {
  return new Batcher({
    maxItems: BATCH_SIZE,
    maxWaitMs: 0,
    concurrency: BATCHES,
    run: async (ids) => {
      await run([...new Set(ids)]);
      return ids.map(() => undefined);
    },
  });
}

async function addAll(batcher: Batcher<string, void>, ids: string[]): Promise<void> {
  await batcher.addMany(ids);
}
