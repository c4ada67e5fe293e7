import { startDelivery } from '@clarion/delivery';
import { runRole } from '@clarion/runtime';

/** Delivers due push steps. */
runRole('worker-push', (resources) => startDelivery('push', resources));
