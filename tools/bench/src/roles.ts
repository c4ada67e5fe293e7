import type { Channel } from '@clarion/contracts';
import { EngineModule } from '@clarion/engine';
import { runGateway } from '@clarion/gateway';
import { createLogger, Health, loadConfig, Metrics } from '@clarion/platform';
import { openResources, type ProcessContext, startRole } from '@clarion/runtime';
import { ChatModule } from '@clarion/worker-chat';
import { EmailModule } from '@clarion/worker-email';
import { InAppModule } from '@clarion/worker-in-app';
import { PushModule } from '@clarion/worker-push';
import { SmsModule } from '@clarion/worker-sms';

export type Role = 'gateway' | 'engine' | Channel;

const ROLES = {
  engine: EngineModule,
  in_app: InAppModule,
  email: EmailModule,
  sms: SmsModule,
  chat: ChatModule,
  push: PushModule,
};

/** Runs these roles in this process over one set of connections; other settings come from the environment. */
export async function startRoles(
  roles: Role[],
  environment?: Record<string, string>,
  metrics?: Metrics,
): Promise<{ stop(): Promise<void> }> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY'], environment);
  const databaseUrl = config.DATABASE_URL!;
  const context: ProcessContext = {
    config,
    databaseUrl,
    queueBackend:
      config.CLARION_QUEUE === 'redis'
        ? { kind: 'redis', url: config.REDIS_URL! }
        : { kind: 'postgres', url: databaseUrl },
    encryptionKeys: config.CLARION_ENCRYPTION_KEY!,
    logger: createLogger({ level: config.LOG_LEVEL, name: roles.join('+') }),
    metrics: metrics ?? new Metrics(config.CLARION_METRICS_ENVIRONMENTS),
    health: new Health(),
  };
  const resources = await openResources(context, roles.join('+'));
  const stops = [() => resources.close()];
  for (const role of roles) {
    if (role === 'gateway') {
      const gateway = await runGateway(context);
      stops.push(() => gateway.close());
    } else {
      const running = await startRole(ROLES[role], resources);
      stops.push(() => running.close());
    }
  }
  return {
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}
