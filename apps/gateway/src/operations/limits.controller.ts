import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DomainError,
  type FieldErrors,
  fieldErrors,
  LIMIT_NAMES,
  LimitsDto,
  LimitsListDto,
  SetLimitsDto,
} from '@clarion/contracts';
import { actorOf, type Caller, environmentOf } from '../edge/auth/operator';
import { CalledBy } from '../edge/http/request-context';
import { AcrossEnvironments, Scope, StrictInput } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { LimitsService } from './limits.service';
import { OperatedEnvironments } from './operated-environments';

/** A misspelled limit is an unknown field, so the caller would believe that it is set. */
function nothingToSet(): DomainError {
  const message = `at least one of ${LIMIT_NAMES.join(', ')} must be given; null removes a limit`;
  const errors = Object.assign({}, ...LIMIT_NAMES.map((field) => fieldErrors(field, message).errors)) as FieldErrors;
  return new DomainError('unprocessable', 'Validation Error', { errors });
}

@ApiTags('operations')
@Scope('admin', 'operator')
@AcrossEnvironments()
@Controller('v1/operations/limits')
export class LimitsController {
  constructor(
    private readonly limits: LimitsService,
    private readonly environments: OperatedEnvironments,
  ) {}

  @Get()
  @Operation('List the limits of all environments, with the messages of today', {
    description:
      'An environment without limits has null for each. With the key of the operator: of all organizations, or of ' +
      'the environment that `Clarion-Environment` names.',
    type: LimitsListDto,
  })
  async list(@CalledBy() caller: Caller): Promise<LimitsListDto> {
    return { data: await this.limits.list(await this.environments.idsOf(caller)) };
  }

  @Put()
  @StrictInput()
  @Operation('Set or remove limits of an environment', {
    description:
      'Events above a limit are refused with 429 and `Retry-After`. All gateways share the events a second: each ' +
      'gets the part that it is asked for, renewed every second. When the messages of the day are used up, events ' +
      'are refused until midnight UTC; what was accepted before is still sent, so a large fan-out can exceed the ' +
      'limit. The render time is that of previews, dry runs, saves and payload schemas in each gateway, which ' +
      'refuses more with 429, and that of steps in each worker and engine, which then wait. A request without any ' +
      'limit gets 422. With `counts: organization` the limits count all environments of the organization together. ' +
      'What the operator set (`setBy`: `operator`) an API key cannot change or remove: it gets 403. The operator ' +
      'names the environment in the body or in `Clarion-Environment`.',
    type: LimitsDto,
  })
  async set(
    @CalledBy() caller: Caller,
    @Body() { environmentId, reason, ...changes }: SetLimitsDto,
  ): Promise<LimitsDto> {
    if (LIMIT_NAMES.every((name) => changes[name] === undefined)) throw nothingToSet();
    const wanted = environmentId ?? environmentOf(caller).environmentId;
    const [environment] = await this.environments.of(caller, wanted);
    const { id, organizationId } = environment!;
    return this.limits.change(actorOf(caller), { environmentId: id, organizationId }, changes, reason);
  }
}
