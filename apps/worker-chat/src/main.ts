import { startDelivery } from '@clarion/delivery';
import { runRole } from '@clarion/runtime';

/** Delivers due chat steps. */
runRole('worker-chat', (resources) => startDelivery('chat', resources));
