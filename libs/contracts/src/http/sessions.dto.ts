import { ENVIRONMENT_KINDS, type EnvironmentKind, KEY_SCOPES, type KeyScope } from '../vocabulary';
import { Children, Choice, Flag, Text } from './fields';

/** Exactly one of the two. */
export class CreateSessionDto {
  @Text({
    optional: true,
    minLength: 1,
    maxLength: 512,
    description: 'An API key of the scope `admin`, `full` or `read`. The session has its scope.',
  })
  apiKey?: string;

  @Text({
    optional: true,
    minLength: 1,
    maxLength: 512,
    description: 'The token of a sign-in link, as `npm start` prints it. It works once.',
  })
  token?: string;
}

export class SessionEnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text({ description: 'The public name of the environment.' }) identifier!: string;
  @Choice(ENVIRONMENT_KINDS) kind!: EnvironmentKind;
}

export class SessionDto {
  @Text() _id!: string;
  @Text({ description: 'The environment of the key.' }) environmentId!: string;
  @Text() organizationId!: string;
  @Choice(KEY_SCOPES, { description: 'The scope of the key.' }) scope!: KeyScope;
  @Text() keyName!: string;
  @Text() expiresAt!: string;
  @Children(() => SessionEnvironmentDto, {
    description:
      'The environments that the session may act in: with a key of the scope `admin` all of the organization, chosen ' +
      'by the header `Clarion-Environment`; else the one of the key.',
  })
  environments!: SessionEnvironmentDto[];
}

export class SessionSummaryDto {
  @Text() _id!: string;
  @Text() keyId!: string;
  @Text() keyName!: string;
  @Text({ description: 'The readable beginning of the key.' }) keyPrefix!: string;
  @Choice(KEY_SCOPES) scope!: KeyScope;
  @Text({ description: 'The IP address that the session was opened from.' }) address!: string;
  @Text({ optional: true, description: 'The User-Agent of the browser that opened it.' }) userAgent?: string;
  @Flag({ description: 'Whether it is the session of this request.' }) current!: boolean;
  @Text() createdAt!: string;
  @Text() lastUsedAt!: string;
  @Text() expiresAt!: string;
}

export class SessionListDto {
  @Children(() => SessionSummaryDto) data!: SessionSummaryDto[];
}
