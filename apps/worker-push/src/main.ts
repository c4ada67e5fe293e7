import { runRole } from '@clarion/runtime';
import { PushModule } from './push.module';

runRole('worker-push', PushModule);
