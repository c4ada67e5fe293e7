import { Body, Controller, Delete, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  LIMITS,
  ListMirrorDifferencesQuery,
  MirrorDifferenceListDto,
  MirrorDto,
  StartMirrorDto,
  StopMirrorQuery,
} from '@clarion/contracts';
import { Database, type KeyOwner } from '@clarion/persistence';
import { KeyDirectory } from '../../edge/auth/key-directory';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { MirrorService } from './mirror.service';

@ApiTags('mirror')
@RateCategory('configuration')
@Controller('v1/mirror')
export class MirrorController {
  constructor(
    private readonly mirrors: MirrorService,
    private readonly database: Database,
    private readonly keys: KeyDirectory,
  ) {}

  @Post()
  @Operation('Start to mirror the environment', {
    description:
      'For a trial: every accepted trigger and every cancellation is also sent to another system, after the ' +
      'response, with the same transactionId, and what both did is compared. The other system is asked first whether ' +
      'it knows the key. Gateways copy triggers within 15 seconds. The results of an earlier mirror are deleted.',
    status: 201,
    type: MirrorDto,
  })
  async start(@Owner() owner: KeyOwner, @Body() body: StartMirrorDto) {
    const mirror = await this.mirrors.start(owner, owner, body);
    this.forgetOwners();
    return mirror;
  }

  @ReadRoute()
  @Operation('Retrieve the mirror of the environment', {
    description: 'Its state, what waits, whether the other system answers, and the figures of the comparison.',
    type: MirrorDto,
  })
  retrieve(@Owner() owner: KeyOwner) {
    return this.mirrors.status(owner.environmentId);
  }

  @Delete()
  @Operation('Stop to mirror the environment', {
    description:
      'No more triggers are copied. Copies that wait are still sent, unless `discard` is set; what was sent is still ' +
      'compared, and the results stay until another mirror is started.',
    type: MirrorDto,
  })
  async stop(@Owner() owner: KeyOwner, @Query() { discard }: StopMirrorQuery) {
    const mirror = await this.mirrors.stop(owner, owner, discard);
    this.forgetOwners();
    return mirror;
  }

  @ReadRoute('differences')
  @Operation('List what the two systems did differently', {
    description:
      'One item for each subscriber and channel whose steps were sent, skipped or failed in another way, and for ' +
      `each trigger that the other system refused. The first ${LIMITS.mirrorDifferences} are stored; the figures of ` +
      'the mirror count all.',
    type: MirrorDifferenceListDto,
  })
  differences(@Owner() owner: KeyOwner, @Query() query: ListMirrorDifferencesQuery) {
    return this.mirrors.differences(owner.environmentId, query);
  }

  /** The cached owners of keys say whether their environment is mirrored. */
  private forgetOwners(): void {
    this.database.afterCommit(() => this.keys.forget());
  }
}
