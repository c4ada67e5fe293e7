import { isJsonObject, type JsonObject, readJson } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { formFields } from '../call';
import { bySharedKey, dateOf, eventKinds, fieldsOf, type InboundCall, jsonBody } from '../events';
import { textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { isGsmText, reportOf, smsProvider } from './sms-provider';

const ENDPOINT = 'https://enterprise.smsgupshup.com/GatewayAPI/rest';

const REPORT_KINDS = eventKinds({
  delivered: ['DELIVERED', 'SUCCESS'],
  failed: ['FAILED', 'FAILURE'],
});

/** Causes of a failure that map to a more specific event. */
const CAUSES = eventKinds({
  bounced: ['ABSENT_SUBSCRIBER', 'UNKNOWN_SUBSCRIBER'],
  rejected: ['DND_FAIL', 'BLOCKED'],
});

/** One report in the query of a GET, or up to 20 as JSON: in a form field, in a member of an object, or as the body. */
function reportsIn(call: InboundCall): JsonObject[] {
  const [fields, json] = [fieldsOf(call), jsonBody(call)];
  const lists = [readJson(fields['response'] ?? ''), isJsonObject(json) ? json['response'] : json];
  return lists.find(Array.isArray)?.filter(isJsonObject) ?? [fields];
}

export const gupshup = smsProvider({
  id: 'gupshup',
  displayName: 'Gupshup',
  required: ['user', 'password'],
  evidence: 'official',
  overrides: {
    names: ['principalEntityId', 'dltTemplateId', 'port', 'timestamp', 'override_dnd', 'msg_type', 'msg_id'],
  },
  request: (message, { user = '', password = '' }, { fields }) => ({
    url: ENDPOINT,
    // The documentation shows a query. A form keeps the password out of access logs.
    form: {
      method: 'SendMessage',
      send_to: message.digits,
      msg: message.content,
      msg_type: isGsmText(message.content) ? 'TEXT' : 'Unicode_text',
      auth_scheme: 'plain',
      v: '1.1',
      format: 'text',
      userid: user,
      password,
      mask: message.from,
      ...formFields(fields),
    },
  }),
  read: reading({
    id: (answer) => partsOf(answer)[2],
    isAccepted: (answer) => partsOf(answer)[0] === 'success',
    message: (answer) => partsOf(answer)[2],
    code: (answer) => partsOf(answer)[1],
    kinds: byKind({
      transient: [100],
      credentials: [102, 103, 104, 106, 108, 175],
      recipient: [105],
    }),
  }),
  events: {
    ...bySharedKey,
    parse: (call) =>
      reportsIn(call).flatMap((report) => {
        const at = (...names: string[]): string | undefined =>
          names.map((name) => textAt(report, [name])).find((text) => text !== undefined);
        const state = at('eventType', 'status')?.toUpperCase() ?? '';
        const time = at('eventTs', 'deliveredTS');
        const cause = at('cause') ?? '';
        const kind = REPORT_KINDS.get(state);
        return reportOf({
          kind: kind === 'failed' ? (CAUSES.get(cause) ?? kind) : kind,
          mark: `${state}:${time}`,
          providerMessageId: at('externalId'),
          recipient: at('destAddr', 'phoneNo'),
          at: dateOf(time),
          isPermanent: kind === 'failed' && cause === 'UNKNOWN_SUBSCRIBER',
          ...(kind === 'failed' && { reason: cause }),
        });
      }),
  },
});

/** `success | number | id`, or `error | code | text`; the status is 200 for both. */
function partsOf({ text }: Answer): (string | undefined)[] {
  const [state = '', second, ...rest] = text.split('|').map((part) => part.trim());
  return ['success', 'error'].includes(state) ? [state, second, rest.join(' | ') || undefined] : [];
}
