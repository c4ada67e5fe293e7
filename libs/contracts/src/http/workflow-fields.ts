export const PAYLOAD_SCHEMA = {
  optional: true,
  nullable: true,
  description:
    'JSON Schema of the payload. The values of fields with `"x-sensitive": true` are replaced by `[redacted]` in the ' +
    'record after delivery, with the stored content of messages.',
} as const;
export const VALIDATE_PAYLOAD = {
  optional: true,
  description: 'Refuse triggers whose payload does not fit the schema.',
} as const;

export const ESCAPE_HTML = {
  optional: true,
  description:
    'Whether values are escaped where templates write them into HTML: bodies of emails, layouts, in-app messages.' +
    ' `{{ value | raw }}` leaves one value as it is. Default true; false is for imported templates that rely on ' +
    'values that are HTML.',
} as const;

export const WHILE_RETRYING_OPTIONS = {
  optional: true,
  description:
    'Whether the next steps run while a step waits for a retry. `continue`, the default: they do, up to a digest, a ' +
    'delay, a step with `shouldStopOnFail` or one that reads the step. `wait`: each step waits for the one before it.',
} as const;
