import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { TRANSLATED_RESOURCES, type TranslatedResource } from '../vocabulary';
import { Children, Choice, Flag, JsonMap, MADE_FROM, REVISION, Text, type TextOptions, Texts, Whole } from './fields';

const RESOURCE_ID: TextOptions = {
  minLength: 1,
  maxLength: 256,
  description: 'The workflowId or layoutId, the id, or the slug.',
};
const RESOURCE_TYPE = { description: 'What the texts belong to.' } as const;
const LOCALE: TextOptions = {
  minLength: 2,
  maxLength: 20,
  description: 'A language, or a language and a region: `de`, `de_AT`.',
  example: 'de_AT',
};
const CONTENT = {
  description:
    'Texts by key. Objects inside objects are keys with dots: templates read `{ "cart": { "title": "..." } }` as ' +
    '`{{ t.cart.title }}`. A text is a template.',
  example: { cart: { title: 'Your cart, {{ subscriber.firstName }}' } },
} as const;

export class CreateTranslationDto {
  @Text(RESOURCE_ID) resourceId!: string;
  @Choice(TRANSLATED_RESOURCES, RESOURCE_TYPE) resourceType!: TranslatedResource;
  @Text(LOCALE) locale!: string;
  @JsonMap(CONTENT) content!: JsonObject;
  @Text(`${MADE_FROM.description} Empty for no texts.`, MADE_FROM) revision?: string;
}

export class TranslationDto {
  @Text() resourceId!: string;
  @Choice(TRANSLATED_RESOURCES) resourceType!: TranslatedResource;
  @Text() locale!: string;
  @JsonMap(CONTENT) content!: JsonObject;
  @Text(`${REVISION} Absent in lists.`, { optional: true }) revision?: string;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class NamedTranslationDto extends TranslationDto {
  @Text() resourceName!: string;
}

export class ListTranslationsQuery {
  @Text('`next` of the page before.', { optional: true, maxLength: 2_000 }) after?: string;
}

export class TranslationListDto {
  @Children(() => NamedTranslationDto) data!: NamedTranslationDto[];
  @Text('Cursor of the next page; null when there are no more pages.', { nullable: true }) next!: string | null;
}

export class MissingTextsDto {
  @Text() locale!: string;
  @Texts('Keys that the templates or the default locale have, and that fall back to another locale.') keys!: string[];
}

export class TranslationGroupDto {
  @Text() resourceId!: string;
  @Choice(TRANSLATED_RESOURCES) resourceType!: TranslatedResource;
  @Text() resourceName!: string;
  @Texts() locales!: string[];
  @Texts('Locales without some of the texts; absent when there is none.', { optional: true })
  outdatedLocales?: string[];
  @Children(() => MissingTextsDto, 'The keys without a text, by locale.') missing!: MissingTextsDto[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class UploadedFileDto {
  @Text('A locale and `.json`.', { maxLength: 256, example: 'de_AT.json' }) name!: string;
  @Text('JSON.', { maxLength: LIMITS.uploadedCharacters }) content!: string;
}

/** A form (`multipart/form-data`) with the fields `resourceId`, `resourceType` and `files` or `files[]`. */
export class UploadTranslationsDto {
  @Text(RESOURCE_ID) resourceId!: string;
  @Choice(TRANSLATED_RESOURCES, RESOURCE_TYPE) resourceType!: TranslatedResource;
  @Children(() => UploadedFileDto, { max: LIMITS.uploadFiles }) files!: UploadedFileDto[];
}

export class UploadedTranslationsDto {
  @Whole() totalFiles!: number;
  @Whole() successfulUploads!: number;
  @Whole() failedUploads!: number;
  @Texts('For each file that was not stored: its name and the reason.') errors!: string[];
}

export class MasterJsonQuery {
  @Text('Without it, the default locale of the environment.', { ...LOCALE, optional: true }) locale?: string;
}

export class MasterJsonDto {
  @JsonMap('The content of each workflow, by workflowId.') workflows!: JsonObject;
  @JsonMap('The content of each layout, by layoutId.') layouts!: JsonObject;
}

export class ImportMasterJsonDto {
  @Text(LOCALE) locale!: string;

  @JsonMap('What `GET /v2/translations/master-json` returns: `workflows` and `layouts` with contents by id.', {
    example: { workflows: { cart: { title: 'Your cart' } }, layouts: {} },
  })
  masterJson!: JsonObject;
}

/** A form (`multipart/form-data`) with one field `file`. */
export class UploadMasterJsonDto {
  @Children(() => UploadedFileDto, { max: 1 }) file!: UploadedFileDto[];
}

export class ImportedMasterJsonDto {
  @Flag('Whether every content was stored.') success!: boolean;
  @Text('What was stored, and why the rest was not.') message!: string;
  @Texts('The ids of workflows and layouts.', { optional: true }) successful?: string[];
  @Texts({ optional: true }) failed?: string[];
}
