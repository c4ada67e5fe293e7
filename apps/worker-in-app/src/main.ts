import { startDelivery } from '@clarion/delivery';
import { runRole } from '@clarion/runtime';

/** Delivers due in_app steps. */
runRole('worker-in-app', (resources) => startDelivery('in_app', resources));
