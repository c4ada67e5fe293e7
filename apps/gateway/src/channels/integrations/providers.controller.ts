import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ProviderListDto } from '@clarion/contracts';
import { ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { ProviderCatalogue } from './provider-catalogue';

@ApiTags('integrations')
@Controller('v1/providers')
export class ProvidersController {
  constructor(private readonly catalogue: ProviderCatalogue) {}

  @ReadRoute()
  @Operation('List all providers with their credentials and abilities', {
    description:
      'The same facts as in PROVIDERS.md: the fields of `credentials` and `configurations` as a form needs them, ' +
      'batches, duplicate detection, delivery events with their address, and the overrides of a trigger.',
    type: ProviderListDto,
  })
  list() {
    return this.catalogue.list();
  }
}
