import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AUTHORED_STEP_TYPES,
  AUTHORING_SAMPLE,
  AUTHORING_VARIABLES,
  CONDITION_OPERATORS,
  controlsSchema,
  isChannelStepType,
  LIQUID_FILTERS,
  RULE_OPERATORS,
  STEP_CONTROLS,
  StepTypeListDto,
} from '@clarion/contracts';
import { RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';

/** The same for every caller: it changes with a release only. */
const STEP_TYPES: StepTypeListDto = {
  data: AUTHORED_STEP_TYPES.map((type) => ({
    type,
    title: STEP_CONTROLS[type].title,
    description: STEP_CONTROLS[type].description,
    isChannel: isChannelStepType(type),
    controls: controlsSchema(type),
  })),
  variables: [...AUTHORING_VARIABLES],
  filters: [...LIQUID_FILTERS],
  conditionOperators: [...CONDITION_OPERATORS],
  ruleOperators: [...RULE_OPERATORS],
  sample: AUTHORING_SAMPLE,
};

@ApiTags('workflows')
@RateCategory('configuration')
@Controller('v2/step-types')
export class StepTypesController {
  @ReadRoute()
  @Operation('List the step types with the schemas of their control values', {
    description:
      'What an editor of workflows needs: a JSON Schema for the control values of each step type, and the variables, ' +
      'filters and operators that it can complete. Saving a workflow finds issues by the same schemas.',
    type: StepTypeListDto,
  })
  list(): StepTypeListDto {
    return STEP_TYPES;
  }
}
