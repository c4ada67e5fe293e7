import { CHANNELS } from '@clarion/contracts';
import { startDelivery } from '@clarion/delivery';
import { runGateway } from '@clarion/gateway';
import { Closers } from '@clarion/platform';
import { openResources, type ProcessContext } from '@clarion/runtime';
import { startEngine } from '@clarion/workflow';

/** Runs every role in this process. The roles stop in the order of the work: the gateway first, the workers last. */
export async function runTogether(context: ProcessContext): Promise<{ url: string; close(): Promise<void> }> {
  const closers = new Closers();
  try {
    const resources = await openResources(context, 'roles');
    closers.add(() => resources.close());
    const workers = await Promise.all(CHANNELS.map((channel) => startDelivery(channel, resources)));
    closers.add(() => Promise.all(workers.map((worker) => worker.stop())));
    const engine = await startEngine(resources);
    closers.add(() => engine.stop());
    const gateway = await runGateway(context);
    closers.add(() => gateway.close());
    // No supervisor restarts this process, so a stuck role is only logged and the others continue.
    closers.add(context.health.watchProgress(context.logger));
    return { url: gateway.url, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
