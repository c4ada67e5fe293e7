import { NestFactory } from '@nestjs/core';
import { exitOnFault } from '@clarion/platform';
import { openRole } from '@clarion/runtime';
import { ChatModule } from './chat.module';

/** Delivers due chat steps, and calls webhook endpoints and the other systems of mirrors. */
async function bootstrap(): Promise<void> {
  const role = await openRole('worker-chat', ChatModule);
  role.started(await NestFactory.createApplicationContext(role.root, role.options));
}

bootstrap().catch(exitOnFault);
