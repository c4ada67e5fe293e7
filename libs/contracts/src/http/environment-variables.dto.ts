import { LIMITS } from '../limits';
import { Children, Choice, Flag, Text, type TextOptions } from './fields';

const VARIABLE_TYPES = ['string'] as const;

const KEY: TextOptions = {
  pattern: /^[A-Za-z][A-Za-z0-9_]{0,99}$/,
  patternMessage:
    'key must begin with a letter and contain letters, digits and underscores only, at most 100 characters',
  description: 'Templates read the value as `env.<key>`. The keys `name` and `type` are the environment itself.',
  example: 'BASE_URL',
};
const TYPE = { optional: true, description: 'Every variable is a text.' } as const;
const SECRET = 'A secret is stored encrypted. Responses, previews and records of messages show a mask instead of it.';

export class EnvironmentVariableValueInput {
  @Text('A key of the scope `admin` may name each environment of its organization.', { format: 'uuid' })
  _environmentId!: string;

  @Text('The mask that a response shows for a secret leaves the stored value as it is.', {
    maxLength: LIMITS.variableCharacters,
  })
  value!: string;
}

export class CreateEnvironmentVariableDto {
  @Text(KEY) key!: string;
  @Choice(VARIABLE_TYPES, TYPE) type?: 'string';
  @Flag(`${SECRET} Default false.`, { optional: true }) isSecret?: boolean;

  @Children(() => EnvironmentVariableValueInput, { optional: true, max: LIMITS.listElements })
  values?: EnvironmentVariableValueInput[];
}

/** Fields that are left out stay as they are, and so do the values of environments that are not named. */
export class UpdateEnvironmentVariableDto {
  @Text({ ...KEY, optional: true }) key?: string;
  @Choice(VARIABLE_TYPES, TYPE) type?: 'string';

  @Flag(`${SECRET} A secret becomes readable only together with new values for all its environments.`, {
    optional: true,
  })
  isSecret?: boolean;

  @Children(() => EnvironmentVariableValueInput, { optional: true, max: LIMITS.listElements })
  values?: EnvironmentVariableValueInput[];
}

export class ListEnvironmentVariablesQuery {
  @Text('A part of the key, in any case.', { optional: true, maxLength: LIMITS.filterText }) search?: string;
}

export class EnvironmentVariableValueDto {
  @Text() _environmentId!: string;
  @Text('A mask for a secret.') value!: string;
}

export class EnvironmentVariableDto {
  @Text() _id!: string;
  @Text() _organizationId!: string;
  @Text() key!: string;
  @Choice(VARIABLE_TYPES) type!: 'string';
  @Flag(SECRET) isSecret!: boolean;
  @Children(
    () => EnvironmentVariableValueDto,
    'A key of the scope `admin` gets the values of all environments of its organization.',
  )
  values!: EnvironmentVariableValueDto[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class VariableWorkflowDto {
  @Text() name!: string;
  @Text() workflowId!: string;
}

export class VariableLayoutDto {
  @Text() name!: string;
  @Text() layoutId!: string;
}

export class EnvironmentVariableUsageDto {
  @Children(() => VariableWorkflowDto) workflows!: VariableWorkflowDto[];
  @Children(() => VariableLayoutDto) layouts!: VariableLayoutDto[];
}
