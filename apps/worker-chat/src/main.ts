import { startDelivery } from '@clarion/delivery';
import { runRole } from '@clarion/runtime';

/** Delivers due chat steps, and sends the event log to webhook endpoints. */
runRole('worker-chat', (resources) => startDelivery('chat', resources));
