import { type Provider } from '../provider';
import { africasTalking } from './africas-talking.provider';
import { afroMessage } from './afro-message.provider';
import { azureSms } from './azure-sms.provider';
import { bandwidth } from './bandwidth.provider';
import { brevoSms } from './brevo-sms.provider';
import { bulkSms } from './bulk-sms.provider';
import { burstSms } from './burst-sms.provider';
import { clickatell } from './clickatell.provider';
import { clicksend } from './clicksend.provider';
import { eazySms } from './eazy-sms.provider';
import { firetext } from './firetext.provider';
import { fortySixElks } from './forty-six-elks.provider';
import { genericSms } from './generic-sms.provider';
import { gupshup } from './gupshup.provider';
import { imedia } from './imedia.provider';
import { infobipSms } from './infobip-sms.provider';
import { isendSms } from './isend-sms.provider';
import { kannel } from './kannel.provider';
import { maqsam } from './maqsam.provider';
import { messagebird } from './messagebird.provider';
import { mobishastra } from './mobishastra.provider';
import { nexmo } from './nexmo.provider';
import { platformSms } from './platform-sms.provider';
import { plivo } from './plivo.provider';
import { ringCentral } from './ring-central.provider';
import { sendchamp } from './sendchamp.provider';
import { simpletexting } from './simpletexting.provider';
import { sinch } from './sinch.provider';
import { smsCentral } from './sms-central.provider';
import { sms77 } from './sms77.provider';
import { smsmode } from './smsmode.provider';
import { sns } from './sns.provider';
import { telnyx } from './telnyx.provider';
import { termii } from './termii.provider';
import { twilio } from './twilio.provider';
import { unifonic } from './unifonic.provider';

export const SMS: readonly Provider<'sms'>[] = [
  africasTalking,
  afroMessage,
  azureSms,
  bandwidth,
  brevoSms,
  bulkSms,
  burstSms,
  clickatell,
  clicksend,
  eazySms,
  firetext,
  fortySixElks,
  genericSms,
  gupshup,
  imedia,
  infobipSms,
  isendSms,
  kannel,
  maqsam,
  messagebird,
  mobishastra,
  nexmo,
  platformSms,
  plivo,
  ringCentral,
  sendchamp,
  simpletexting,
  sinch,
  smsCentral,
  sms77,
  smsmode,
  sns,
  telnyx,
  termii,
  twilio,
  unifonic,
];
