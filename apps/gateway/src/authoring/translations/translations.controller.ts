import { Body, Controller, Delete, Param, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import {
  CreateTranslationDto,
  ImportedMasterJsonDto,
  ImportMasterJsonDto,
  LIMITS,
  ListTranslationsQuery,
  MasterJsonDto,
  MasterJsonQuery,
  TranslationDto,
  TranslationGroupDto,
  TranslationListDto,
  UploadedTranslationsDto,
  UploadMasterJsonDto,
  UploadTranslationsDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import {
  BodyLimit,
  Documents,
  Files,
  RateCategory,
  ReadRoute,
  StrictInput,
  TenantWork,
} from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { MasterTranslations } from './master-translations';
import { TranslationsService } from './translations.service';

/** A form, or the same as JSON with the contents of the files as texts. */
const BODY_TYPES = ['application/json', 'multipart/form-data'];
const TEXTS =
  'Templates read the texts as `{{ t.key }}`, from the next message on. A text is a template; a key that names ' +
  'itself through other keys is refused (422), and the response names it.';

@ApiTags('translations')
@RateCategory('configuration')
@Documents('one')
@Controller('v2/translations')
export class TranslationsController {
  constructor(
    private readonly translations: TranslationsService,
    private readonly master: MasterTranslations,
  ) {}

  @ReadRoute()
  @Operation('List the texts of all workflows and layouts in all locales', {
    description: 'Exactly the stored texts, in pages of a few megabytes.',
    type: TranslationListDto,
  })
  list(@Owner() owner: KeyOwner, @Query() query: ListTranslationsQuery) {
    return this.translations.list(owner, query);
  }

  @Post()
  @TenantWork('always')
  @Operation('Create or replace the texts of a workflow or a layout in one locale', {
    description: TEXTS,
    type: TranslationDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateTranslationDto) {
    return this.translations.create(owner, body);
  }

  @Post('upload')
  @TenantWork('always')
  @Files()
  @BodyLimit(LIMITS.uploadBytes)
  @ApiConsumes(...BODY_TYPES)
  @Operation('Upload files with the texts of a workflow or a layout', {
    description:
      'The name of each file is its locale: `de_AT.json`. A file that cannot be stored is listed with the reason, ' +
      'and the other files are stored.',
    type: UploadedTranslationsDto,
  })
  upload(@Owner() owner: KeyOwner, @Body() body: UploadTranslationsDto) {
    return this.translations.upload(owner, body);
  }

  @ReadRoute('master-json')
  @Operation('Export the texts of all workflows and layouts in one locale', {
    description: 'The result can be translated and imported for another locale.',
    type: MasterJsonDto,
  })
  exportMaster(@Owner() owner: KeyOwner, @Query() query: MasterJsonQuery) {
    return this.master.export(owner, query);
  }

  @Post('master-json')
  @TenantWork('always')
  @BodyLimit(LIMITS.uploadBytes)
  @Operation('Import the texts of workflows and layouts in one locale', {
    description:
      'A workflow or layout whose texts cannot be stored is listed with the reason, and the others are stored. Those ' +
      'that the body does not name stay as they are.',
    type: ImportedMasterJsonDto,
  })
  importMaster(@Owner() owner: KeyOwner, @Body() body: ImportMasterJsonDto) {
    return this.master.import(owner, body.locale, body.masterJson);
  }

  @Post('master-json/upload')
  @TenantWork('always')
  @Files()
  @BodyLimit(LIMITS.uploadBytes)
  @ApiConsumes(...BODY_TYPES)
  @Operation('Upload a file with the texts of workflows and layouts in one locale', {
    description: 'As the import. The name of the file is the locale: `de_AT.json`.',
    type: ImportedMasterJsonDto,
  })
  uploadMaster(@Owner() owner: KeyOwner, @Body() body: UploadMasterJsonDto) {
    return this.master.upload(owner, body);
  }

  @ReadRoute('group/:resourceType/:resourceId')
  @Operation('Retrieve the locales of a workflow or a layout, and the texts that they lack', {
    description: 'A workflow or layout without translations gets 404.',
    type: TranslationGroupDto,
  })
  group(@Owner() owner: KeyOwner, @Param('resourceType') type: string, @Param('resourceId') id: string) {
    return this.translations.group(owner, type, id);
  }

  @ReadRoute(':resourceType/:resourceId/:locale')
  @Operation('Retrieve the texts of a workflow or a layout in one locale', {
    description: 'Exactly the stored texts, without what the locale falls back to.',
    type: TranslationDto,
  })
  retrieve(
    @Owner() owner: KeyOwner,
    @Param('resourceType') type: string,
    @Param('resourceId') id: string,
    @Param('locale') locale: string,
  ) {
    return this.translations.retrieve(owner, type, id, locale);
  }

  @Delete(':resourceType/:resourceId')
  @StrictInput()
  @Operation('Delete the texts of a workflow or a layout in all locales', {
    description: 'Messages then show the keys.',
    status: 204,
  })
  deleteGroup(@Owner() owner: KeyOwner, @Param('resourceType') type: string, @Param('resourceId') id: string) {
    return this.translations.delete(owner, type, id);
  }

  @Delete(':resourceType/:resourceId/:locale')
  @Operation('Delete the texts of a workflow or a layout in one locale', {
    description: 'Its subscribers then get the texts that their locale falls back to.',
    status: 204,
  })
  delete(
    @Owner() owner: KeyOwner,
    @Param('resourceType') type: string,
    @Param('resourceId') id: string,
    @Param('locale') locale: string,
  ) {
    return this.translations.delete(owner, type, id, locale);
  }
}
