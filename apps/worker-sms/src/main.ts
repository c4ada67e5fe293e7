import { runRole } from '@clarion/runtime';
import { SmsModule } from './sms.module';

runRole('worker-sms', SmsModule);
