import { runRole } from '@clarion/runtime';
import { InAppModule } from './in-app.module';

runRole('worker-in-app', InAppModule);
