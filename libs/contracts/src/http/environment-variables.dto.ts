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
  @Text({ format: 'uuid', description: 'A key of the scope `admin` may name each environment of its organization.' })
  _environmentId!: string;

  @Text({
    maxLength: LIMITS.variableCharacters,
    description: 'The mask that a response shows for a secret leaves the stored value as it is.',
  })
  value!: string;
}

export class CreateEnvironmentVariableDto {
  @Text(KEY) key!: string;
  @Choice(VARIABLE_TYPES, TYPE) type?: 'string';
  @Flag({ optional: true, description: `${SECRET} Default false.` }) isSecret?: boolean;

  @Children(() => EnvironmentVariableValueInput, { optional: true, max: LIMITS.listElements })
  values?: EnvironmentVariableValueInput[];
}

/** Fields that are left out stay as they are, and so do the values of environments that are not named. */
export class UpdateEnvironmentVariableDto {
  @Text({ ...KEY, optional: true }) key?: string;
  @Choice(VARIABLE_TYPES, TYPE) type?: 'string';

  @Flag({
    optional: true,
    description: `${SECRET} A secret becomes readable only together with new values for all its environments.`,
  })
  isSecret?: boolean;

  @Children(() => EnvironmentVariableValueInput, { optional: true, max: LIMITS.listElements })
  values?: EnvironmentVariableValueInput[];
}

export class ListEnvironmentVariablesQuery {
  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'A part of the key, in any case.' })
  search?: string;
}

export class EnvironmentVariableValueDto {
  @Text() _environmentId!: string;
  @Text({ description: 'A mask for a secret.' }) value!: string;
}

export class EnvironmentVariableDto {
  @Text() _id!: string;
  @Text() _organizationId!: string;
  @Text() key!: string;
  @Choice(VARIABLE_TYPES) type!: 'string';
  @Flag({ description: SECRET }) isSecret!: boolean;
  @Children(() => EnvironmentVariableValueDto, {
    description: 'A key of the scope `admin` gets the values of all environments of its organization.',
  })
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
