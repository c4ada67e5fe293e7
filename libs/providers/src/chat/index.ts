import { type Provider } from '../provider';
import { chatWebhook } from './chat-webhook.provider';
import { discord } from './discord.provider';
import { getstream } from './getstream.provider';
import { grafanaOnCall } from './grafana-on-call.provider';
import { mattermost } from './mattermost.provider';
import { msteams } from './msteams.provider';
import { platformSlack } from './platform-slack.provider';
import { rocketChat } from './rocket-chat.provider';
import { ryver } from './ryver.provider';
import { slack } from './slack.provider';
import { telegram } from './telegram.provider';
import { whatsappBusiness } from './whatsapp-business.provider';
import { zulip } from './zulip.provider';

export const CHAT: readonly Provider<'chat'>[] = [
  chatWebhook,
  discord,
  getstream,
  grafanaOnCall,
  mattermost,
  msteams,
  platformSlack,
  rocketChat,
  ryver,
  slack,
  telegram,
  whatsappBusiness,
  zulip,
];
