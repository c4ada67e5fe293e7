import { NestFactory } from '@nestjs/core';
import { exitOnFault } from '@clarion/platform';
import { openRole } from '@clarion/runtime';
import { SmsModule } from './sms.module';

async function bootstrap(): Promise<void> {
  const role = await openRole('worker-sms', SmsModule);
  role.started(await NestFactory.createApplicationContext(role.root, role.options));
}

bootstrap().catch(exitOnFault);
