import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { isId, type JsonObject, timeOfId } from '@clarion/contracts/core';
import { type Call, merge, passthroughOf, withQuery } from '../call';
import { bySharedKey, dateOf, type DeliveryEvent, type DeliveryEventKind, hmac, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { type Answer, isMissingEndpoint, kindOfStatus, outcomeOf, refused } from '../outcome';
import { type CallContext, type FailureKind, type SendResult } from '../provider';
import { type ReadySms, smsProvider, stateEvents } from './sms-provider';

const SMS_VERSION = '2021-03-07';
const NUMBERS_VERSION = '2022-12-01';

export const azureSms = smsProvider({
  id: 'azure-sms',
  displayName: 'Azure SMS',
  // The access key is the whole connection string: `endpoint=https://...;accesskey=...`.
  required: ['accessKey', 'from'],
  evidence: 'official',
  idempotency: 'repeatabilityRequestId and repeatabilityFirstSent in the body',
  // These are members of `smsSendOptions`, in which `tag` is Clarion's message id.
  overrides: {
    names: ['enableDeliveryReport', 'deliveryReportTimeoutInSeconds', 'messagingConnect'],
    casing: 'camel',
  },
  request: (message, credentials, context) => {
    const resource = resourceOf(credentials);
    if (!resource) return NO_RESOURCE;
    const { body = {}, query } = passthroughOf(context.overrides);
    const url = withQuery(`${resource.endpoint}/sms?api-version=${SMS_VERSION}`, query);
    const json = JSON.stringify(merge(bodyOf(message, context.fields, context.now()), body));
    return { url, signedJson: json, ...signed('POST', url, json, resource, context) };
  },
  read,
  check: {
    // Lists the numbers of the resource.
    request: (credentials, context) => {
      const resource = resourceOf(credentials);
      if (!resource) return NO_RESOURCE;
      const url = `${resource.endpoint}/phoneNumbers?top=1&api-version=${NUMBERS_VERSION}`;
      return { method: 'GET', url, ...signed('GET', url, '', resource, context) };
    },
    read: (answer) =>
      isMissingEndpoint(answer) ? answer.accepted() : outcomeOf(answer, answer.at('error', 'message')),
  },
  events: {
    // Event Grid does not sign its calls, so the callback URL carries the key.
    ...bySharedKey,
    parse: (call) => objectsIn(call).flatMap(eventOf),
    answer: (call) => {
      const code = objectsIn(call)
        .filter((event) => event['eventType'] === 'Microsoft.EventGrid.SubscriptionValidationEvent')
        .map((event) => textAt(event, ['data', 'validationCode']))[0];
      if (code === undefined) return undefined;
      const body = JSON.stringify({ validationResponse: code });
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
  },
});

type AzureResource = { endpoint: string; key: string };

const NO_RESOURCE = refused(
  'The access key is not an Azure Communication Services connection string (endpoint=https://...;accesskey=...)',
  'credentials',
);

function resourceOf({ accessKey = '' }: CredentialsDto): AzureResource | undefined {
  const parts = accessKey.split(';').map((part): [string, string] => {
    const at = part.indexOf('=');
    return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()];
  });
  const { endpoint = '', accesskey: key = '' } = Object.fromEntries(parts) as Partial<Record<string, string>>;
  if (!/^https?:\/\/./i.test(endpoint) || !URL.canParse(endpoint) || key === '') return undefined;
  return { endpoint: new URL(endpoint).origin, key };
}

/** The signature covers the host that is really called, including its port. */
function signed(
  method: string,
  url: string,
  body: string,
  { key }: AzureResource,
  { http, now }: CallContext,
): Pick<Call, 'headers' | 'secrets'> {
  const { host, pathname, search } = new URL(http.addressOf(url));
  const date = now().toUTCString();
  const hash = createHash('sha256').update(body).digest('base64');
  const text = `${method}\n${pathname}${search}\n${date};${host};${hash}`;
  const signature = hmac('sha256', Buffer.from(key, 'base64'), text, 'base64');
  return {
    headers: {
      'x-ms-date': date,
      'x-ms-content-sha256': hash,
      authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
    },
    secrets: [key],
  };
}

function bodyOf({ id, to, from, content }: ReadySms, fields: JsonObject, now: Date): JsonObject {
  // The same pair for every attempt. Clarion's ids contain the time of their creation.
  const firstSent = isId(id) ? new Date(timeOfId(id)) : now;
  return {
    from: from ?? '',
    smsRecipients: [{ to, repeatabilityRequestId: id, repeatabilityFirstSent: firstSent.toUTCString() }],
    message: content,
    smsSendOptions: merge({ enableDeliveryReport: true, tag: id }, fields),
  };
}

/** The failure kinds of a recipient's status that differ from the default: only the number can be wrong. */
const RECIPIENT_STATUSES: Readonly<Record<string, FailureKind>> = { 400: 'recipient', 404: 'recipient' };

/** A 202 does not mean success: each recipient has a status. */
function read(answer: Answer): SendResult {
  if (!answer.isOk) return outcomeOf(answer, answer.at('error', 'message'));
  const at = (name: string): string | undefined => answer.at('value', 0, name);
  if (at('successful') === 'true') return answer.acceptedAs(at('messageId'));
  if (at('successful') !== 'false') return answer.acceptedAs(undefined);
  const status = at('httpStatusCode') ?? '';
  return answer.failed(RECIPIENT_STATUSES[status] ?? kindOfStatus(Number(status)), at('errorMessage'));
}

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = { Delivered: 'delivered', Failed: 'failed' };

/** The event may have the Event Grid or the CloudEvents schema. */
function eventOf(event: JsonObject): DeliveryEvent[] {
  const id = textAt(event, ['id']);
  const type = event['eventType'] ?? event['type'];
  if (type !== 'Microsoft.Communication.SMSDeliveryReportReceived') return [];
  const fact = (name: string): string | undefined => textAt(event, ['data', name]);
  const [tag, state] = [fact('tag'), fact('deliveryStatus')];
  return stateEvents(EVENT_KINDS, {
    id: fact('messageId'),
    state,
    messageId: isId(tag) ? tag : undefined,
    recipient: fact('to'),
    at: dateOf(fact('receivedTimestamp')),
    reason: state === 'Failed' ? fact('deliveryStatusDetails') : undefined,
  }).map((report) => ({ ...report, id: id ?? report.id }));
}
