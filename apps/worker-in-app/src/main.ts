import { NestFactory } from '@nestjs/core';
import { exitOnFault } from '@clarion/platform';
import { openRole } from '@clarion/runtime';
import { InAppModule } from './in-app.module';

async function bootstrap(): Promise<void> {
  const role = await openRole('worker-in-app', InAppModule);
  role.started(await NestFactory.createApplicationContext(role.root, role.options));
}

bootstrap().catch(exitOnFault);
