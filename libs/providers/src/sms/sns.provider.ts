import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { awsCall } from '../aws-signature';
import { byKind } from '../by-kind';
import { dateOf } from '../events';
import { textAt } from '../json-paths';
import { type Answer, isMissingEndpoint } from '../outcome';
import { type ReadySms, smsProvider } from './sms-provider';

const SERVICE = { host: 'sns', service: 'sns', path: '/' } as const;
const VERSION = '2010-03-31';

const SENDER_ID = 'AWS.SNS.SMS.SenderID';
const ORIGINATION_NUMBER = 'AWS.MM.SMS.OriginationNumber';
const SMS_TYPE = 'AWS.SNS.SMS.SMSType';
const MAX_PRICE = 'AWS.SNS.SMS.MaxPrice';

export const sns = smsProvider({
  id: 'sns',
  displayName: 'Amazon SNS',
  required: ['apiKey', 'secretKey', 'region'],
  evidence: 'official',
  overrides: {
    names: [
      SENDER_ID,
      ORIGINATION_NUMBER,
      SMS_TYPE,
      MAX_PRICE,
      'AWS.MM.SMS.EntityId',
      'AWS.MM.SMS.TemplateId',
      'MessageAttributes',
    ],
    casing: 'pascal',
  },
  request: (message, credentials, context) =>
    awsCall(
      SERVICE,
      {
        form: {
          Action: 'Publish',
          Version: VERSION,
          PhoneNumber: `+${message.digits}`,
          Message: message.content,
          ...attributeFields(message, context.fields),
        },
      },
      credentials,
      context,
    ),
  read: (answer) => read(answer),
  check: {
    request: (credentials, context) =>
      awsCall(SERVICE, { form: { Action: 'GetSMSAttributes', Version: VERSION } }, credentials, context),
    // Keys with only the permission to publish are valid, but cannot read.
    read: (answer) =>
      elementOf(answer, 'GetSMSAttributesResult') !== undefined ||
      ['AuthorizationError', 'InvalidAction'].includes(elementOf(answer, 'Code') ?? '') ||
      isMissingEndpoint(answer)
        ? answer.accepted()
        : read(answer),
  },
});

/** Attributes are numbered from one and have three fields each. */
function attributeFields(
  message: ReadySms,
  { MessageAttributes: more, ...fields }: JsonObject,
): Record<string, string> {
  const attributes: JsonObject = {
    // Promotional messages are cheaper, and may arrive late or never.
    [SMS_TYPE]: 'Transactional',
    ...(message.from !== undefined && {
      [/^\+?\d+$/.test(message.from) ? ORIGINATION_NUMBER : SENDER_ID]: message.from,
    }),
    ...fields,
    ...(isJsonObject(more) && more),
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value], index) => {
      const entry = `MessageAttributes.entry.${index + 1}`;
      return [
        [`${entry}.Name`, name],
        [`${entry}.Value.DataType`, textAt(value, ['DataType']) ?? (name === MAX_PRICE ? 'Number' : 'String')],
        [`${entry}.Value.StringValue`, textAt(value, ['StringValue']) ?? textAt(value, []) ?? ''],
      ];
    }),
  );
}

/** The responses are simple XML. */
function elementOf({ text }: Answer, name: string): string | undefined {
  const [before, rest] = text.split(`</${name}>`, 2);
  const content = rest === undefined ? undefined : before!.split(`<${name}>`, 2)[1];
  return content?.replace(/&(quot|apos|lt|gt|amp);/g, (_, mark: string) => MARKS[mark]!);
}

const MARKS: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

const read = reading({
  id: (answer) => elementOf(answer, 'MessageId'),
  date: ({ headers }) => dateOf(headers['date']),
  message: (answer) => elementOf(answer, 'Message'),
  code: (answer) => {
    const code = elementOf(answer, 'Code');
    // One code covers all invalid requests.
    return code === 'InvalidParameter' && elementOf(answer, 'Message')?.includes('PhoneNumber') ? 'PhoneNumber' : code;
  },
  kinds: byKind({
    recipient: ['PhoneNumber', 'OptedOut'],
    content: ['InvalidParameter', 'ParameterValueInvalid', 'ValidationException'],
    credentials: ['AuthorizationError', 'InvalidClientTokenId', 'SignatureDoesNotMatch', 'RequestExpired'],
    transient: ['InternalError'],
    'rate-limited': [
      'Throttled',
      'Throttling',
      // It has status 400, but is temporary.
      'KMSThrottling',
    ],
  }),
});
