import type { JsonObject } from '../json';
import { AUTHORED_STEP_TYPES, type AuthoredStepType } from '../step-types';
import { Children, Choice, Flag, JsonMap, Text } from './fields';

export class StepTypeDto {
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;
  @Text() title!: string;
  @Text() description!: string;
  @Flag('Whether the step sends a message through a channel.') isChannel!: boolean;
  @JsonMap(
    'JSON Schema of `controlValues`. `anyOf` has one entry for each kind of the step, with its `type`, its ' +
      'controls and what it requires. `uiHints` of a control: `template` (Liquid), `multiline`, `language` (html, ' +
      'json, rule), `reference` (layout, step, variable), `advanced`.',
  )
  controls!: JsonObject;
}

/** A name that authors write, with an example and its result. */
export class AuthoringNameDto {
  @Text() name!: string;
  @Text() group!: string;
  @Text() description!: string;
  @Text('A template that uses the name.') example!: string;
  @Text('What the example renders for the sample.') result!: string;
}

export class AuthoringOperatorDto {
  @Text() name!: string;
  @Text() description!: string;
  @JsonMap('A condition that uses the operator.') example!: JsonObject;
  @Flag('Whether the example is true for the sample.') result!: boolean;
}

export class StepTypeListDto {
  @Children(() => StepTypeDto) data!: StepTypeDto[];
  @Children(() => AuthoringNameDto, 'The variables of templates and rules.') variables!: AuthoringNameDto[];
  @Children(() => AuthoringNameDto, 'The filters of Liquid.') filters!: AuthoringNameDto[];
  @Children(() => AuthoringOperatorDto, 'The operators of `filters` of steps and variants.')
  conditionOperators!: AuthoringOperatorDto[];
  @Children(() => AuthoringOperatorDto, 'The JSON-Logic operators of `runIf` and `skip`.')
  ruleOperators!: AuthoringOperatorDto[];
  @JsonMap('The variables with which the results were computed.') sample!: JsonObject;
}
