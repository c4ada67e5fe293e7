import { CHANNELS } from '@clarion/contracts';
import { startDelivery } from '@clarion/delivery';
import { runGateway } from '@clarion/gateway';
import { openResources, type ProcessContext } from '@clarion/runtime';
import { startEngine } from '@clarion/workflow';

/** Runs every role in this process. The roles stop in the order of the work: the gateway first, the workers last. */
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
    // No supervisor restarts this process, so a stuck role is only logged and the others continue.
    closers.push(context.health.watchProgress(context.logger));
    return { url: gateway.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
