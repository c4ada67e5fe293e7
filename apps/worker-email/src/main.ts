import { runRole } from '@clarion/runtime';
import { EmailModule } from './email.module';

runRole('worker-email', EmailModule);
