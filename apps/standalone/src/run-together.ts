import { EngineModule } from '@clarion/engine';
import { runGateway } from '@clarion/gateway';
import { Closers } from '@clarion/platform';
import { openResources, type ProcessContext, startRole } from '@clarion/runtime';
import { ChatModule } from '@clarion/worker-chat';
import { EmailModule } from '@clarion/worker-email';
import { InAppModule } from '@clarion/worker-in-app';
import { PushModule } from '@clarion/worker-push';
import { SmsModule } from '@clarion/worker-sms';

const WORKERS = [InAppModule, EmailModule, SmsModule, ChatModule, PushModule];

/** Runs every role in this process. The roles stop in the order of the work: the gateway first, the workers last. */
export async function runTogether(context: ProcessContext): Promise<{ url: string; close(): Promise<void> }> {
  const closers = new Closers();
  try {
    const resources = await openResources(context, 'roles');
    closers.add(() => resources.close());
    const workers = await Promise.all(WORKERS.map((worker) => startRole(worker, resources)));
    closers.add(() => Promise.all(workers.map((worker) => worker.close())));
    const engine = await startRole(EngineModule, resources);
    closers.add(() => engine.close());
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
