import { type Provider } from '../provider';
import { apns } from './apns.provider';
import { appio } from './appio.provider';
import { expo } from './expo.provider';
import { fcm } from './fcm.provider';
import { oneSignal } from './one-signal.provider';
import { pushWebhook } from './push-webhook.provider';
import { pusherBeams } from './pusher-beams.provider';
import { pushpad } from './pushpad.provider';

export const PUSH: readonly Provider<'push'>[] = [apns, appio, expo, fcm, oneSignal, pushWebhook, pusherBeams, pushpad];
