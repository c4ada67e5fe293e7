import { startDelivery } from '@clarion/delivery';
import { runRole } from '@clarion/runtime';

/** Delivers due email steps. */
runRole('worker-email', (resources) => startDelivery('email', resources));
