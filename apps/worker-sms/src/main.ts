import { startDelivery } from '@clarion/delivery';
import { runRole } from '@clarion/runtime';

/** Delivers due sms steps. */
runRole('worker-sms', (resources) => startDelivery('sms', resources));
