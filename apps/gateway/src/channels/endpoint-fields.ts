import {
  type EndpointFields,
  type EndpointType,
  endpointTypeFacts,
  invalidField,
  type JsonObject,
  type ProviderId,
} from '@clarion/contracts';
import { isMask, maskText } from '../edge/http/masked-text';

const LONGEST_FIELD = 2_048;
const PHONE = /^\+[1-9]\d{5,14}$/;

/** Rejects an endpoint that the provider of the integration could not send to. */
export function checkProvider(type: EndpointType, providerId: ProviderId): void {
  const { providers } = endpointTypeFacts(type);
  if (providers.includes(providerId)) return;
  throw invalidField('type', `type ${type} needs an integration of ${providers.join(', ')}`, type);
}

/** What is wrong with a URL, as a sentence. */
export type UrlFault = (url: string) => string | undefined;

/** Reads and checks the fields of an endpoint. A mask stands for the stored webhook URL. */
export function readFields(
  type: EndpointType,
  given: JsonObject,
  urlFault: UrlFault,
  stored?: EndpointFields,
): EndpointFields {
  const { required, optional = [] } = endpointTypeFacts(type);
  const fields: EndpointFields = {};
  for (const field of [...required, ...optional]) {
    const value = given[field];
    const path = `endpoint.${field}`;
    if (value === undefined && optional.includes(field)) continue;
    if (typeof value !== 'string' || value === '' || value.length > LONGEST_FIELD) {
      throw invalidField(path, `${path} must be a text of 1 to ${LONGEST_FIELD} characters`, value);
    }
    fields[field] = value;
  }
  const { url, phoneNumber } = fields;
  if (url !== undefined) fields.url = webhookUrlOf(url, urlFault, stored?.url);
  if (phoneNumber !== undefined && !PHONE.test(phoneNumber)) {
    throw invalidField(
      'endpoint.phoneNumber',
      'endpoint.phoneNumber must be a number such as +15551234567',
      phoneNumber,
    );
  }
  return fields;
}

function webhookUrlOf(given: string, urlFault: UrlFault, stored: string | undefined): string {
  if (isMask(given)) {
    if (stored !== undefined && given === maskText(stored)) return stored;
    throw invalidField(
      'endpoint.url',
      'endpoint.url is masked, but not the mask of the stored URL: send the URL itself',
    );
  }
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw invalidField('endpoint.url', 'endpoint.url must be a full http:// or https:// URL');
  }
  const fault = urlFault(given);
  if (fault !== undefined) throw invalidField('endpoint.url', `endpoint.url cannot be used: ${fault}`);
  return given;
}

/** A webhook URL alone allows sending, so it is a secret. */
export const maskFields = (fields: EndpointFields): EndpointFields =>
  fields.url === undefined ? fields : { ...fields, url: maskText(fields.url) };
