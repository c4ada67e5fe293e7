import type { CredentialsDto } from '@clarion/contracts';
import { isId, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bearer, words } from '../call';
import {
  bySharedKey,
  dateOf,
  type DeliveryEvent,
  type DeliveryEventKind,
  GENUINE,
  hmac,
  isRecent,
  isSame,
  NO_SIGNING_KEY,
  objectsIn,
  STALE,
  WRONG_SIGNATURE,
} from '../events';
import { textAt } from '../json-paths';
import { refused } from '../outcome';
import { type ProviderError } from '../provider';
import { smsProvider, stateEvents } from './sms-provider';

/** The region is part of the host name. */
const REGIONS: readonly string[] = ['eu', 'us', 'au', 'br', 'ca'];
const NO_REGION = refused(`The region must be one of ${REGIONS.join(', ')}`, 'credentials');

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = byKind({
  sent: ['Dispatched'],
  delivered: ['Delivered'],
  failed: ['Failed', 'Expired'],
  bounced: ['Deleted'],
  rejected: ['Rejected', 'Aborted', 'Cancelled'],
});

/** Codes of reports without a failure. */
const [DELIVERED, DISPATCHED] = ['0', '401'];

export const sinch = smsProvider({
  id: 'sinch',
  displayName: 'Sinch',
  required: [['servicePlanId', 'accountSid', 'applicationId'], 'apiToken', 'region', 'from'],
  evidence: 'official',
  overrides: {
    names: words(`
      delivery_report callback_url send_at expire_at feedback_enabled flash_message truncate_concat
      max_number_of_message_parts from_ton from_npi parameters udh
    `),
    casing: 'snake',
  },
  request: (message, credentials, { callbackUrl }) => {
    const url = batchesOf(credentials);
    if (typeof url !== 'string') return url;
    return {
      url,
      headers: { authorization: bearer(credentials.apiToken ?? '') },
      body: {
        from: message.from,
        to: [message.to],
        body: message.content,
        delivery_report: callbackUrl === undefined ? undefined : 'per_recipient',
        callback_url: callbackUrl,
        client_reference: message.id,
      },
    };
  },
  read: reading({
    id: ['id'],
    date: ['created_at'],
    message: [['text'], ['error', 'message']],
    code: (answer) => answer.at('code') ?? answer.at('error', 'status'),
    kinds: byKind({
      content: words(`
        syntax_invalid_json syntax_invalid_parameter_format syntax_constraint_violation missing_callback_url
      `),
      recipient: ['illegal_number_type'],
      credentials: ['blocked_account', 'unauthorized'],
    }),
  }),
  check: {
    request: (credentials) => {
      const url = batchesOf(credentials);
      if (typeof url !== 'string') return url;
      const headers = { authorization: bearer(credentials.apiToken ?? '') };
      return { method: 'GET', url: `${url}?page_size=1`, headers };
    },
  },
  // Only some service plans sign reports. For the others the URL carries the key.
  events: {
    ...bySharedKey,
    proof: 'HMAC-SHA256 of body, nonce and time (`x-sinch-webhook-signature`), or key in the URL (`?token=`)',
    verify: (call, context) => {
      const { headers, body } = call;
      const given = headers['x-sinch-webhook-signature'];
      if (given === undefined) return bySharedKey.verify(call, context);
      if (!context.signingKey) return NO_SIGNING_KEY;
      const [nonce = '', time = ''] = ['nonce', 'timestamp'].map(
        (name) => headers[`x-sinch-webhook-signature-${name}`],
      );
      if (!isRecent(time, context.now())) return STALE;
      const text = Buffer.concat([body, Buffer.from(`.${nonce}.${time}`)]);
      return isSame(given, hmac('sha256', context.signingKey, text, 'base64')) ? GENUINE : WRONG_SIGNATURE;
    },
    parse: (call) => objectsIn(call).flatMap(eventsIn),
  },
});

function batchesOf({ servicePlanId, accountSid, applicationId, region = '' }: CredentialsDto): string | ProviderError {
  const regionName = region.trim().toLowerCase();
  if (!REGIONS.includes(regionName)) return NO_REGION;
  const plan = encodeURIComponent(servicePlanId || accountSid || applicationId || '');
  return `https://${regionName}.sms.api.sinch.com/xms/v1/${plan}/batches`;
}

/** A report is about one recipient, or lists statuses with counts. Our messages have one recipient. */
function eventsIn(report: JsonObject): DeliveryEvent[] {
  // Replies of recipients arrive at the same URL.
  const type = textAt(report, ['type']);
  if (type !== undefined && !/^(recipient_)?delivery_report_/.test(type)) return [];
  const statuses = report['statuses'] ?? [report];
  const reference = textAt(report, ['client_reference']);
  return (Array.isArray(statuses) ? statuses : []).flatMap((entry) => {
    const fact = (...path: (string | number)[]): string | undefined => textAt(entry, path);
    const code = fact('code');
    return stateEvents(EVENT_KINDS, {
      id: textAt(report, ['batch_id']),
      state: fact('status'),
      messageId: isId(reference) ? reference : undefined,
      recipient: fact('recipient') ?? fact('recipients', 0),
      at: dateOf(fact('at')),
      reason: code === undefined || code === DELIVERED || code === DISPATCHED ? undefined : `Code ${code}`,
    });
  });
}
