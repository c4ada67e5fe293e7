import { runRole } from '@clarion/runtime';
import { ChatModule } from './chat.module';

/** Delivers due chat steps, and calls webhook endpoints and the other systems of mirrors. */
runRole('worker-chat', ChatModule);
