import { ENVIRONMENT_TYPES, type EnvironmentType, KEY_SCOPES, type KeyScope } from '../vocabulary';
import { Children, Choice, Text } from './fields';

export class CreateEnvironmentDto {
  @Text({ trim: true, minLength: 1, maxLength: 60, description: 'Unique in the organization.' })
  name!: string;

  @Text({
    optional: true,
    nullable: true,
    format: 'uuid',
    description: 'The environment this one takes its resources from.',
  })
  parentId?: string | null;

  @Text({ optional: true, pattern: /^#[0-9a-fA-F]{6}$/, patternMessage: 'color must look like #1a2b3c' })
  color?: string;

  @Choice(ENVIRONMENT_TYPES, { optional: true, description: 'Default prod.' })
  type?: EnvironmentType;
}

export class EnvironmentKeyDto {
  @Text({ description: 'The key itself; shown at creation and never again.' }) key!: string;
  @Text() _userId!: string;
  @Text({ optional: true }) hash?: string;
}

export class EnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text() _organizationId!: string;
  @Text({ description: 'The public name of the environment: the applicationIdentifier of the inbox.' })
  identifier!: string;
  @Choice(ENVIRONMENT_TYPES, { optional: true }) type?: EnvironmentType;
  @Text({ optional: true }) color?: string;
  @Text({ optional: true }) _parentId?: string;
  @Text({ optional: true }) slug?: string;
  @Children(() => EnvironmentKeyDto, { optional: true, description: 'Only in the answer to its creation.' })
  apiKeys?: EnvironmentKeyDto[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class CreateApiKeyDto {
  @Text({ optional: true, trim: true, minLength: 1, maxLength: 100 })
  name?: string;

  @Choice(KEY_SCOPES, { optional: true, description: 'full (default), read, or trigger (events only).' })
  scope?: KeyScope;
}

export class ApiKeyDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Text() name!: string;
  @Text({ description: 'The readable beginning of the key.' }) prefix!: string;
  @Choice(KEY_SCOPES) scope!: KeyScope;
  @Text() createdAt!: string;
  @Text({ optional: true }) lastUsedAt?: string;
  @Text({ optional: true }) revokedAt?: string;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @Text({ description: 'The key itself; shown now and never again.' })
  key!: string;
}
