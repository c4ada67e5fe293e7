import { createStore } from '../ui/store';

export const isGatewayAway = createStore(false);
/** Whether a newer dashboard was deployed while this page was open. */
export const isOutdated = createStore(false);
