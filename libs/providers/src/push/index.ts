export { apns } from './apns.provider';
export { appio } from './appio.provider';
export { expo } from './expo.provider';
export { fcm } from './fcm.provider';
export { oneSignal } from './one-signal.provider';
export { pushWebhook } from './push-webhook.provider';
export { pusherBeams } from './pusher-beams.provider';
export { pushpad } from './pushpad.provider';
