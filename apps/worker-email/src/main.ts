import { NestFactory } from '@nestjs/core';
import { exitOnFault } from '@clarion/platform';
import { openRole } from '@clarion/runtime';
import { EmailModule } from './email.module';

async function bootstrap(): Promise<void> {
  const role = await openRole('worker-email', EmailModule);
  role.started(await NestFactory.createApplicationContext(role.root, role.options));
}

bootstrap().catch(exitOnFault);
