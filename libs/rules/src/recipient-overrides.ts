import { CHANNELS, isJsonObject, type Json, type JsonObject, PROVIDER_IDS, toOurName } from '@clarion/contracts/core';

/**
 * The overrides of a trigger that change the sender or the recipients of a message. A key of the scope `trigger` may
 * not use them unless its environment allows it: such keys are given to systems that only start workflows.
 *
 * Names are compared without case and punctuation, because adapters accept any casing, and at every level of a
 * provider's part: SparkPost has `content.from`, SendGrid `mail_settings.bcc`. `_passthrough` goes to the provider
 * unchecked, so it counts as a whole.
 */
const NAMES = new Set([
  ...['passthrough', 'raw', 'emailrfc822', 'apikey'],
  // Senders.
  ...['from', 'fromemail', 'fromname', 'fromaddress', 'fromshared', 'emailfrom', 'mailfrom', 'envelope', 'returnpath'],
  ...['sender', 'sendername', 'senderemail', 'senderid', 'originator', 'originationnumber', 'powerpackuuid'],
  ...['messagingservicesid', 'resentfrom', 'resentsender'],
  // Another integration is another account, with another sender.
  ...['integrationidentifier'],
  // Addresses for replies.
  ...['replyto', 'replytolist', 'replytoaddresses', 'reply', 'repliestoemail', 'replypath', 'mailreplyto'],
  ...['feedbackforwardingemailaddress', 'errorsto', 'dispositionnotificationto', 'returnreceiptto'],
  // URLs for delivery reports.
  ...['statuscallback', 'statuscallbackurl', 'callback', 'callbackurl', 'notifyurl', 'webhook', 'deliveryreporturl'],
  // Recipients.
  ...['to', 'torecipient', 'cc', 'bcc', 'bccaddress', 'recipient', 'recipients', 'toaddresses', 'personalizations'],
  ...['destination', 'destinations', 'phone', 'phonenumber', 'phonenumbers', 'msisdn', 'number', 'numbers'],
  ...['defaultaddresses', 'resentto', 'resentcc', 'resentbcc', 'apparentlyto', 'xsmtpapi', 'xmsysapi', 'xmcbccaddress'],
  ...['webhookurl', 'channel', 'chatid', 'token', 'tokens', 'devicetokens', 'topic', 'condition', 'uids', 'userids'],
  ...['includeplayerids', 'includealiases', 'includedsegments', 'filters', 'interests', 'users'],
]);

/** Fields with data for templates and events of a provider: the caller chooses the names inside them. */
const DATA = new Set([
  ...['data', 'customdata', 'customargs', 'customfields', 'custommetrics', 'customvariables', 'metadata', 'params'],
  ...['parameters', 'variables', 'tvariables', 'dynamictemplatedata', 'substitutiondata', 'templatevariables'],
  ...['contentvariables', 'globalmergevars', 'mergevars', 'recipientvariables', 'recipientmetadata', 'personalization'],
  ...['defaultplaceholders', 'landingpageplaceholders', 'eventpayload', 'extras', 'attributes', 'props'],
]);

export const CHANNEL_NAMES = new Set<string>(CHANNELS);
export const PROVIDER_NAMES = new Set<string>(PROVIDER_IDS);

/** The paths of these overrides, such as `overrides.email.from`. */
export function recipientOverrides(overrides: JsonObject | undefined): string[] {
  if (!overrides) return [];
  return [
    ...providerParts(overrides, 'overrides', (name) => CHANNEL_NAMES.has(name)),
    ...providerParts(overrides['providers'], 'overrides.providers'),
    ...members(overrides['steps']).flatMap(([stepId, step]) =>
      isJsonObject(step) ? providerParts(step['providers'], `overrides.steps.${stepId}.providers`) : [],
    ),
  ];
}

function providerParts(
  value: Json | undefined,
  path: string,
  isAlso: (name: string) => boolean = () => false,
): string[] {
  return members(value).flatMap(([name, part]) =>
    isAlso(name) || PROVIDER_NAMES.has(toOurName(name)) ? found(part, `${path}.${name}`) : [],
  );
}

function found(value: Json, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => found(item, `${path}.${index}`));
  return members(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    if (isListed(name)) return [at];
    // Postmark and SES have headers as lists of names and values.
    if (bare(name) === 'name' && typeof member === 'string' && /headers\.\d+$/i.test(path) && isListed(member))
      return [at];
    return DATA.has(bare(name)) ? [] : found(member, at);
  });
}

/** `AWS.SNS.SMS.SenderID` is compared by its last part. */
const isListed = (name: string): boolean =>
  NAMES.has(bare(name)) || NAMES.has(bare(name.slice(name.lastIndexOf('.') + 1)));

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const members = (value: Json | undefined): [string, Json][] => (isJsonObject(value) ? Object.entries(value) : []);
