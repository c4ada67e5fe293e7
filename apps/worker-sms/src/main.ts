import { runRole } from '@clarion/runtime';
import { SmsModule } from './sms.module';

/** Delivers due sms steps. */
runRole('worker-sms', SmsModule);
