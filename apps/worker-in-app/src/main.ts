import { runRole } from '@clarion/runtime';
import { InAppModule } from './in-app.module';

/** Delivers due in_app steps. */
runRole('worker-in-app', InAppModule);
