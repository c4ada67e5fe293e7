import { CHANNELS } from '@clarion/contracts';
import { startDelivery } from '@clarion/delivery';
import { runGateway } from '@clarion/gateway';
import { openResources, type ProcessContext } from '@clarion/runtime';
import { startEngine } from '@clarion/workflow';

/** Every role in this process. They stop in the order of the work: nothing comes in, then nothing is left to be done. */
export async function runTogether(context: ProcessContext): Promise<{ url: string; close(): Promise<void> }> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const resources = await openResources(context, 'roles');
    closers.push(() => resources.close());
    const workers = await Promise.all(CHANNELS.map((channel) => startDelivery(channel, resources)));
    closers.push(() => Promise.all(workers.map((worker) => worker.stop())));
    const engine = await startEngine(resources);
    closers.push(() => engine.stop());
    const gateway = await runGateway(context);
    closers.push(() => gateway.close());
    // Nobody would start this process again, so a role that is stuck is told of and the others go on.
    closers.push(context.health.watchProgress(context.logger));
    return { url: gateway.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
