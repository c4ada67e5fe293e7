import { NestFactory } from '@nestjs/core';
import { exitOnFault } from '@clarion/platform';
import { openRole } from '@clarion/runtime';
import { EngineModule } from './engine.module';

/** Consumes triggers and due timers, and runs the sweeper. */
async function bootstrap(): Promise<void> {
  const role = await openRole('engine', EngineModule);
  role.started(await NestFactory.createApplicationContext(role.root, role.options));
}

bootstrap().catch(exitOnFault);
