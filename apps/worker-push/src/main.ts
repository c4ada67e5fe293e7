import { runRole } from '@clarion/runtime';
import { PushModule } from './push.module';

/** Delivers due push steps. */
runRole('worker-push', PushModule);
