import { createStore } from '../ui/store';

export const isGatewayAway = createStore(false);
/** Whether a newer dashboard was deployed while this page was open. */
export const isOutdated = createStore(false);

export const gatewayAnswered = (): void => isGatewayAway.set(false);
export const gatewayFailed = (): void => isGatewayAway.set(true);
export const announceNewVersion = (): void => isOutdated.set(true);
