import { runRole } from '@clarion/runtime';
import { EmailModule } from './email.module';

/** Delivers due email steps. */
runRole('worker-email', EmailModule);
