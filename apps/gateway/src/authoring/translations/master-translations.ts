import { Injectable } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import {
  type ImportedMasterJsonDto,
  invalidField,
  isJsonObject,
  type Json,
  type JsonObject,
  type MasterJsonDto,
  type MasterJsonQuery,
  type TranslatedResource,
  type UploadMasterJsonDto,
} from '@clarion/contracts';
import { Database, type KeyOwner, TranslationRepository } from '@clarion/persistence';
import { type CheckedContent, checkShape, describeFault, isFault, localeOfFile, templateFaults } from './check-content';
import { localeOf, parseFile, TranslationsService } from './translations.service';

/** Resources that one import may name: each is checked and recorded. */
const MOST_RESOURCES = 1_000;
/** Reasons that one answer describes. */
const MOST_REASONS = 20;

type Named = { type: TranslatedResource; identifier: string };
type Entry = Named & { content: Json };

@Injectable()
export class MasterTranslations {
  constructor(
    private readonly database: Database,
    private readonly translations: TranslationRepository,
    private readonly service: TranslationsService,
    private readonly renderer: TemplateRenderer,
  ) {}

  async export(owner: KeyOwner, query: MasterJsonQuery): Promise<MasterJsonDto> {
    const { environmentId } = owner;
    const locale =
      query.locale === undefined ? await this.translations.defaultLocale(environmentId) : localeOf(query.locale);
    const rows = await this.translations.listLocale(environmentId, locale);
    const contentsOf = (wanted: TranslatedResource): JsonObject =>
      Object.fromEntries(
        rows.filter(({ type }) => type === wanted).map(({ identifier, content }) => [identifier, content]),
      );
    return { workflows: contentsOf('workflow'), layouts: contentsOf('layout') };
  }

  upload(owner: KeyOwner, { file: [file] }: UploadMasterJsonDto): Promise<ImportedMasterJsonDto> {
    if (!file) throw invalidField('file', 'file must be a file');
    const locale = localeOfFile(file.name);
    if (locale === undefined) {
      throw invalidField('file', 'file needs a name that is a locale, such as de_AT.json');
    }
    const parsed = parseFile(file.content);
    if ('message' in parsed) throw invalidField('file', `file ${parsed.message}`);
    return this.import(owner, locale, parsed.value);
  }

  async import(owner: KeyOwner, localeText: string, masterJson: JsonObject): Promise<ImportedMasterJsonDto> {
    const locale = localeOf(localeText);
    const entries = entriesOf(masterJson);
    const failed = new Map<string, string>();
    const checked = entries.flatMap((entry): { entry: Entry; content: CheckedContent }[] => {
      const content = isJsonObject(entry.content)
        ? checkShape(locale, entry.content)
        : { path: '', message: 'must be an object' };
      if (!isFault(content)) return [{ entry, content }];
      failed.set(entry.identifier, describeFault(content));
      return [];
    });
    const [found, faults] = await this.database.beforehand(() =>
      Promise.all([
        this.translations.resolve(owner.environmentId, entries),
        templateFaults(
          this.renderer,
          owner.environmentId,
          checked.map(({ content }) => content),
        ),
      ]),
    );
    const rowOf = new Map(found.map((row) => [`${row.type} ${row.identifier}`, row]));
    const sound = checked.flatMap(({ entry: { type, identifier }, content }, index) => {
      const resource = rowOf.get(`${type} ${identifier}`);
      const fault = faults[index];
      if (resource && !fault) return [{ resource, content }];
      failed.set(identifier, fault ? describeFault(fault) : `the ${type} was not found`);
      return [];
    });
    const conflicts = await this.service.store(owner, sound);
    const successful: string[] = [];
    for (const [index, { resource }] of sound.entries()) {
      const fault = conflicts[index];
      if (fault) failed.set(resource.identifier, describeFault(fault));
      else successful.push(resource.identifier);
    }
    const reasons = [...failed].slice(0, MOST_REASONS).map(([identifier, reason]) => `${identifier}: ${reason}`);
    return {
      success: failed.size === 0,
      message: [
        `${successful.length} of ${entries.length} contents were stored in ${locale}`,
        ...(reasons.length > 0 ? [reasons.join('; ')] : []),
      ].join('. '),
      successful,
      ...(failed.size > 0 && { failed: [...failed.keys()] }),
    };
  }
}

function entriesOf(masterJson: JsonObject): Entry[] {
  const entries = (['workflow', 'layout'] as const).flatMap((type): Entry[] => {
    const contents = masterJson[`${type}s`] ?? {};
    if (!isJsonObject(contents)) throw invalidField(`masterJson.${type}s`, `masterJson.${type}s must be an object`);
    return Object.entries(contents).map(([identifier, content]) => ({ type, identifier, content }));
  });
  const unknown = Object.keys(masterJson).find((name) => name !== 'workflows' && name !== 'layouts');
  if (unknown !== undefined) {
    throw invalidField('masterJson', `masterJson must have the members workflows and layouts only, not ${unknown}`);
  }
  if (entries.length > MOST_RESOURCES) {
    throw invalidField('masterJson', `masterJson must not name more than ${MOST_RESOURCES} workflows and layouts`);
  }
  return entries;
}
