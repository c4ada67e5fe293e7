import { ENVIRONMENT_KINDS, type EnvironmentKind, KEY_SCOPES, type KeyScope } from '../vocabulary';
import { Children, Choice, Flag, Text } from './fields';

/** Exactly one of the two. */
export class CreateSessionDto {
  @Text('An API key of the scope `admin`, `full` or `read`. The session has its scope.', {
    optional: true,
    minLength: 1,
    maxLength: 512,
  })
  apiKey?: string;

  @Text('The token of a sign-in link, as `npm start` prints it. It works once.', {
    optional: true,
    minLength: 1,
    maxLength: 512,
  })
  token?: string;
}

export class SessionEnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text('The public name of the environment.') identifier!: string;
  @Choice(ENVIRONMENT_KINDS) kind!: EnvironmentKind;
}

export class SessionDto {
  @Text() _id!: string;
  @Text('The environment of the key.') environmentId!: string;
  @Text() organizationId!: string;
  @Choice(KEY_SCOPES, 'The scope of the key.') scope!: KeyScope;
  @Text() keyName!: string;
  @Text() expiresAt!: string;
  @Children(
    () => SessionEnvironmentDto,
    'The environments that the session may act in: with a key of the scope `admin` all of the organization, chosen ' +
      'by the header `Clarion-Environment`; else the one of the key.',
  )
  environments!: SessionEnvironmentDto[];
}

export class SessionSummaryDto {
  @Text() _id!: string;
  @Text() keyId!: string;
  @Text() keyName!: string;
  @Text('The readable beginning of the key.') keyPrefix!: string;
  @Choice(KEY_SCOPES) scope!: KeyScope;
  @Text('The IP address that the session was opened from.') address!: string;
  @Text('The User-Agent of the browser that opened it.', { optional: true }) userAgent?: string;
  @Flag('Whether it is the session of this request.') current!: boolean;
  @Text() createdAt!: string;
  @Text() lastUsedAt!: string;
  @Text() expiresAt!: string;
}

export class SessionListDto {
  @Children(() => SessionSummaryDto) data!: SessionSummaryDto[];
}
