import { Injectable } from '@nestjs/common';
import { type Template, TemplateRenderer } from '@clarion/content';
import {
  type CreateTranslationDto,
  DomainError,
  type EnvironmentId,
  invalidField,
  isJsonObject,
  type JsonObject,
  localeChain,
  type ListTranslationsQuery,
  mapInSlices,
  type MissingTextsDto,
  normalizedLocale,
  TRANSLATED_RESOURCES,
  type TranslatedResource,
  type TranslationDto,
  type TranslationGroupDto,
  type TranslationListDto,
  type UploadedFileDto,
  type UploadedTranslationsDto,
  type UploadTranslationsDto,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  LayoutRepository,
  type TranslatedRow,
  translatedRowId,
  type Translation,
  type TranslationName,
  TranslationRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { parseJsonBody } from '../../edge/http/json-body';
import { refuseOtherRevision, revisionOf } from '../revision';
import { nameOf as layoutNameOf } from '../layouts/layouts.service';
import { nameOf as workflowNameOf } from '../workflows/workflows.service';
import {
  type CheckedContent,
  checkShape,
  type ContentFault,
  describeFault,
  groupFaults,
  isFault,
  localeOfFile,
  Room,
  templateFaults,
} from './check-content';

/** A workflow or a layout, with the templates that its translations are for. */
type FoundResource = TranslatedRow & { identifier: string; name: string; templates: Template[] };
type ItemToStore = { resource: TranslatedRow & { identifier: string }; content: CheckedContent };

/** Workflows and layouts whose translations in all locales are in memory at a time. */
const GROUPS_AT_ONCE = 5;

@Injectable()
export class TranslationsService {
  constructor(
    private readonly database: Database,
    private readonly translations: TranslationRepository,
    private readonly workflows: WorkflowRepository,
    private readonly layouts: LayoutRepository,
    private readonly renderer: TemplateRenderer,
    private readonly audit: AuditLog,
  ) {}

  async create(owner: KeyOwner, input: CreateTranslationDto): Promise<TranslationDto> {
    const locale = localeOf(input.locale);
    const checked = checkShape(locale, input.content);
    if (isFault(checked)) throw refused(checked);
    const { resource, faults } = await this.database.beforehand(async () => ({
      resource: await this.find(owner, input.resourceType, input.resourceId),
      faults: await templateFaults(this.renderer, owner.environmentId, [checked]),
    }));
    if (faults[0]) throw refused(faults[0]);
    const [conflict] = await this.store(owner, [{ resource, content: checked }], input.revision);
    if (conflict) throw refused(conflict);
    return withRevision(resource, (await this.translations.find(owner.environmentId, resource, locale))!);
  }

  async upload(
    owner: KeyOwner,
    { resourceType, resourceId, files }: UploadTranslationsDto,
  ): Promise<UploadedTranslationsDto> {
    if (files.length === 0) throw invalidField('files', 'files must have at least one file');
    const read = await mapInSlices(files, ({ name, content }, index) => ({
      name,
      checked: checkFile({ name, content }, files, index),
    }));
    const sound = read.flatMap(({ name, checked }) => (isFault(checked) ? [] : [{ name, checked }]));
    const { resource, faults } = await this.database.beforehand(async () => ({
      resource: await this.find(owner, resourceType, resourceId),
      faults: await templateFaults(
        this.renderer,
        owner.environmentId,
        sound.map(({ checked }) => checked),
      ),
    }));
    const compiled = sound.filter((_, index) => !faults[index]);
    const conflicts = await this.store(
      owner,
      compiled.map(({ checked }) => ({ resource, content: checked })),
    );
    const errors = [
      ...read.flatMap(({ name, checked }) => (isFault(checked) ? [{ name, fault: checked }] : [])),
      ...sound.flatMap(({ name }, index) => (faults[index] ? [{ name, fault: faults[index] }] : [])),
      ...compiled.flatMap(({ name }, index) => (conflicts[index] ? [{ name, fault: conflicts[index] }] : [])),
    ];
    return {
      totalFiles: files.length,
      successfulUploads: files.length - errors.length,
      failedUploads: errors.length,
      errors: errors.map(({ name, fault }) => `${name}: ${describeFault(fault)}`),
    };
  }

  async retrieve(owner: KeyOwner, type: string, identifier: string, locale: string): Promise<TranslationDto> {
    const resource = await this.find(owner, typeOf(type), identifier);
    const wanted = localeOf(locale);
    const row = await this.translations.find(owner.environmentId, resource, wanted);
    if (!row) throw notTranslated(resource, wanted);
    return withRevision(resource, row);
  }

  async list({ environmentId }: KeyOwner, { after }: ListTranslationsQuery): Promise<TranslationListDto> {
    const { rows, isCut } = await this.translations.list(environmentId, { ...(after && { after: nameAt(after) }) });
    return {
      data: rows.map((row) => ({ ...toDto(row, row), resourceName: row.name })),
      next: isCut ? cursorOf(rows.at(-1)!) : null,
    };
  }

  async group(owner: KeyOwner, type: string, identifier: string): Promise<TranslationGroupDto> {
    const resource = await this.find(owner, typeOf(type), identifier);
    const [rows, defaultLocale] = await Promise.all([
      this.translations.listMany(owner.environmentId, [resource.id]),
      this.translations.defaultLocale(owner.environmentId),
    ]);
    if (rows.length === 0) throw notTranslated(resource);
    const missing = await this.missingTexts(owner.environmentId, resource, rows, defaultLocale);
    return {
      resourceId: resource.identifier,
      resourceType: resource.type,
      resourceName: resource.name,
      locales: rows.map(({ locale }) => locale),
      ...(missing.length > 0 && { outdatedLocales: missing.map(({ locale }) => locale) }),
      missing,
      createdAt: new Date(Math.min(...rows.map(({ createdAt }) => createdAt.getTime()))).toISOString(),
      updatedAt: new Date(Math.max(...rows.map(({ updatedAt }) => updatedAt.getTime()))).toISOString(),
    };
  }

  async delete(owner: KeyOwner, type: string, identifier: string, locale?: string): Promise<void> {
    const resource = await this.find(owner, typeOf(type), identifier);
    const wanted = locale === undefined ? undefined : localeOf(locale);
    await this.database.transaction(async () => {
      await this.translations.lock(owner.environmentId);
      const rows = await this.translations.listMany(owner.environmentId, [resource.id]);
      const deleted = rows.filter((row) => wanted === undefined || row.locale === wanted);
      if (deleted.length === 0) throw notTranslated(resource, wanted);
      await this.translations.delete(owner.environmentId, resource, wanted);
      for (const row of deleted) {
        await this.audit.record(owner, { resource: 'translation', id: row.id, before: recorded(resource, row) });
      }
    });
  }

  /**
   * Stores contents that were checked alone. Each gets its fault, or undefined when it was stored: a content that does
   * not fit to the other locales does not prevent those before it. `revision` is that of the first one.
   */
  async store(owner: KeyOwner, items: ItemToStore[], revision?: string): Promise<(ContentFault | undefined)[]> {
    if (items.length === 0) return [];
    const { environmentId } = owner;
    const conflicts = await this.database.beforehand(() => this.conflicts(environmentId, items));
    const ids = items.map(({ resource }) => resource.id);
    const locales = items.map(({ content }) => content.locale);
    return this.database.transaction(async () => {
      await this.translations.lock(environmentId);
      const [rows, sizes] = await Promise.all([
        this.translations.listMany(environmentId, ids, locales),
        this.translations.sizes(environmentId),
      ]);
      refuseOtherRevision(revision, rows[0] ? revisionOf(rows[0].content) : '', `The content in ${locales[0]}`);
      const room = new Room(sizes);
      const faults = items.map((item) => conflicts.get(item) ?? room.take(item.content));
      const accepted = items.filter((_, index) => !faults[index]);
      await this.translations.saveMany(
        environmentId,
        accepted.map(({ resource, content }) => ({ resource, locale: content.locale, content: content.content })),
      );
      await this.record(owner, accepted, rows);
      return faults;
    });
  }

  /** What contents must not do together with the other locales. Reads those of a few workflows or layouts at a time. */
  private async conflicts(environmentId: EnvironmentId, items: ItemToStore[]): Promise<Map<ItemToStore, ContentFault>> {
    const defaultLocale = await this.translations.defaultLocale(environmentId);
    const byId = new Map<string, ItemToStore[]>();
    for (const item of items) byId.set(item.resource.id, [...(byId.get(item.resource.id) ?? []), item]);
    const groups = [...byId];
    const conflicts = new Map<ItemToStore, ContentFault>();
    for (let first = 0; first < groups.length; first += GROUPS_AT_ONCE) {
      const some = groups.slice(first, first + GROUPS_AT_ONCE);
      const rows = await this.translations.listMany(
        environmentId,
        some.map(([id]) => id),
      );
      const faults = await groupFaults(
        this.renderer,
        environmentId,
        some.map(([id, own]) => ({
          stored: rows.filter((row) => translatedRowId(row) === id),
          added: own.map(({ content }) => content),
        })),
        defaultLocale,
      );
      for (const [index, [, own]] of some.entries()) {
        for (const [at, item] of own.entries()) {
          const fault = faults[index]![at];
          if (fault) conflicts.set(item, fault);
        }
      }
    }
    return conflicts;
  }

  private async record(owner: KeyOwner, stored: ItemToStore[], before: Translation[]): Promise<void> {
    const ids = stored.map(({ resource }) => resource.id);
    const locales = stored.map(({ content }) => content.locale);
    const keyOf = (id: string, locale: string): string => `${id} ${locale}`;
    const byKey = (rows: Translation[]) => new Map(rows.map((row) => [keyOf(translatedRowId(row), row.locale), row]));
    const [known, now] = [byKey(before), byKey(await this.translations.listMany(owner.environmentId, ids, locales))];
    for (const { resource, content } of stored) {
      const [was, is] = [known, now].map((rows) => rows.get(keyOf(resource.id, content.locale)));
      await this.audit.record(owner, {
        resource: 'translation',
        id: is!.id,
        before: was && recorded(resource, was),
        after: recorded(resource, is!),
      });
    }
  }

  /** The keys without a text, by locale. What a locale takes from its language is not missing. */
  private async missingTexts(
    environmentId: EnvironmentId,
    { type, identifier, templates }: FoundResource,
    rows: Translation[],
    defaultLocale: string,
  ): Promise<MissingTextsDto[]> {
    const places = new Map(rows.map(({ locale }, index) => [locale, index]));
    const chains = rows.map(({ locale }) =>
      localeChain(locale, locale).flatMap((candidate) => places.get(candidate) ?? []),
    );
    const contents = rows.map(({ content }) => JSON.stringify(content));
    const standard = places.get(defaultLocale);
    const data = { chains, together: true, ...(standard !== undefined && { standard }) };
    const found = await this.renderer.namesIn(environmentId, templates, contents, data);
    if (!found.ok) {
      throw new DomainError('unprocessable', `The ${type} ${identifier} cannot be read: ${found.fault.message}`);
    }
    const { missing } = found.result[0]!;
    return rows.flatMap(({ locale }, index) =>
      missing[index]!.length === 0 ? [] : [{ locale, keys: missing[index]! }],
    );
  }

  private async find(owner: KeyOwner, type: TranslatedResource, identifier: string): Promise<FoundResource> {
    if (type === 'layout') {
      const layout = await this.layouts.find(owner.environmentId, layoutNameOf(identifier));
      if (!layout) throw new DomainError('not_found', `Layout ${identifier} was not found`);
      const { id, layoutId, name, controlValues } = layout;
      const templates = [{ controls: (controlValues.email ?? {}) as JsonObject, isEmail: true }];
      return { type, id, identifier: layoutId, name, templates };
    }
    const workflow = await this.workflows.find(owner.environmentId, workflowNameOf(identifier));
    if (!workflow) throw new DomainError('not_found', `Workflow ${identifier} was not found`);
    const { id, workflowId, name, steps } = workflow;
    const templates = steps.flatMap((step) =>
      [step, ...step.variants].map(({ controlValues }) => ({
        controls: controlValues,
        isEmail: step.type === 'email',
      })),
    );
    return { type, id, identifier: workflowId, name, templates };
  }
}

const cursorOf = ({ type, identifier, locale }: TranslationName): string =>
  Buffer.from(JSON.stringify([type, identifier, locale])).toString('base64url');

function nameAt(cursor: string): TranslationName {
  try {
    const [type, identifier, locale, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isName = [type, identifier, locale].every((part) => typeof part === 'string' && !part.includes('\0'));
    if (isName && rest.length === 0) return { type, identifier, locale } as TranslationName;
  } catch {
    // Not a cursor.
  }
  throw invalidField('after', 'after must be the next of a page of this list');
}

/** Reads one file of an upload. Of files with the same locale only the first is stored. */
function checkFile(
  { name, content }: UploadedFileDto,
  files: UploadedFileDto[],
  index: number,
): CheckedContent | ContentFault {
  const locale = localeOfFile(name);
  if (locale === undefined) return { path: '', message: 'needs a file name that is a locale, such as de_AT.json' };
  if (files.slice(0, index).some((other) => localeOfFile(other.name) === locale)) {
    return { path: '', message: `is the second one for ${locale}` };
  }
  const parsed = parseFile(content);
  return 'message' in parsed ? { path: '', message: parsed.message } : checkShape(locale, parsed.value);
}

/** The JSON object in a file, under the rules of JSON bodies. */
export function parseFile(content: string): { value: JsonObject } | { message: string } {
  let value: unknown;
  try {
    value = parseJsonBody(content);
  } catch (error) {
    if (error instanceof DomainError) return { message: 'is not valid JSON, or breaks a limit for JSON' };
    throw error;
  }
  return isJsonObject(value as JsonObject) ? { value: value as JsonObject } : { message: 'must be a JSON object' };
}

export function localeOf(text: string): string {
  const locale = normalizedLocale(text);
  if (locale === undefined) throw invalidField('locale', 'locale must be a locale such as en, en_US or zh_Hant_TW');
  return locale;
}

function typeOf(type: string): TranslatedResource {
  const known = TRANSLATED_RESOURCES.find((one) => one === type);
  if (!known) throw invalidField('resourceType', `resourceType must be one of: ${TRANSLATED_RESOURCES.join(', ')}`);
  return known;
}

function refused({ path, message }: ContentFault): DomainError {
  const field = path === '' ? 'content' : `content.${path}`;
  return invalidField(field, `${field} ${message}`);
}

const notTranslated = ({ type, identifier }: FoundResource, locale?: string): DomainError =>
  new DomainError(
    'not_found',
    `Translations of the ${type} ${identifier}${locale === undefined ? '' : ` in ${locale}`} were not found`,
  );

const recorded = ({ type, identifier }: { type: string; identifier: string }, row: Translation): object => ({
  resourceType: type,
  resourceId: identifier,
  locale: row.locale,
  content: row.content,
});

type NamedRow = Pick<Translation, 'locale' | 'content' | 'createdAt' | 'updatedAt'>;

const withRevision = (resource: FoundResource, row: Translation): TranslationDto => ({
  ...toDto(resource, row),
  revision: revisionOf(row.content),
});

const toDto = ({ type, identifier }: Pick<FoundResource, 'type' | 'identifier'>, row: NamedRow): TranslationDto => ({
  resourceId: identifier,
  resourceType: type,
  locale: row.locale,
  content: row.content,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
