import type { TemplateRenderer } from '@clarion/content';
import {
  CreateTranslationDto,
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  fieldErrors,
  type JsonObject,
  LIMITS,
  normalizedLocale,
  type TranslatedResource,
} from '@clarion/contracts';
import {
  type PromotionRepository,
  type PublishableTranslation,
  type TranslatedRow,
  translatedRowId,
  type Translation,
  type TranslationRepository,
} from '@clarion/persistence';
import type { AuditLog } from '../../edge/audit-log/audit-log';
import { readDto } from '../../edge/http/compiled-dto';
import {
  type CheckedContent,
  checkShape,
  groupFaults,
  isFault,
  Room,
  templateFaults,
  TOO_MANY_LOCALES,
} from '../translations/check-content';
import { faultsOf } from './file-faults';
import type { Edit, Place, Reference, Resource, ResourceKind } from './resource-kind';

export type TranslationStores = {
  promotion: PromotionRepository;
  translations: TranslationRepository;
  renderer: TemplateRenderer;
  audit: AuditLog;
};

type TranslationDefinition = {
  resourceType: TranslatedResource;
  resourceId: string;
  locale: string;
  content: JsonObject;
};

/** The texts of a workflow or a layout in one locale. Its id is `workflow.welcome.de_AT`. */
export class TranslationKind implements ResourceKind {
  readonly type = 'translation';

  constructor(private readonly stores: TranslationStores) {}

  async *all(environmentId: EnvironmentId): AsyncGenerator<Resource> {
    for await (const row of this.stores.promotion.translations(environmentId)) yield toResource(row);
  }

  async find(environmentId: EnvironmentId, ids: string[]): Promise<Resource[]> {
    return (await this.stores.promotion.findTranslations(environmentId, ids.map(nameIn))).map(toResource);
  }

  lock(environmentId: EnvironmentId): Promise<void> {
    return this.stores.translations.lock(environmentId);
  }

  needs(definition: JsonObject): Reference[] {
    const { resourceType, resourceId } = definition as TranslationDefinition;
    return [{ type: resourceType, id: resourceId }];
  }

  read(content: JsonObject): Resource | { errors: FieldErrors } {
    const read = readDto(CreateTranslationDto, content);
    if (!('value' in read) || read.unknown) return { errors: faultsOf(read) };
    const locale = normalizedLocale(read.value.locale);
    if (locale === undefined) return fieldErrors('locale', 'locale must be a locale such as en, en_US or zh_Hant_TW');
    return resourceOf({ ...read.value, locale });
  }

  /** A content of another environment was checked there, together with the other locales. */
  async prepare(environmentId: EnvironmentId, resource: Resource): Promise<Resource> {
    const checked = contentOf(resource);
    if (resource.findings) return resource;
    const { renderer, translations } = this.stores;
    const [fault] = await templateFaults(renderer, environmentId, [checked]);
    if (fault) throw refused(fault);
    const [owner] = await translations.resolve(environmentId, [nameIn(resource.id)]);
    const stored = owner ? await translations.listMany(environmentId, [owner.id]) : [];
    const standard = await translations.defaultLocale(environmentId);
    const [faults] = await groupFaults(renderer, environmentId, [{ stored, added: [checked] }], standard);
    if (faults![0]) throw refused(faults![0]);
    return resource;
  }

  async save(place: Place, edits: Edit[]): Promise<void> {
    const { translations, audit } = this.stores;
    const { environmentId } = place;
    const items = await this.withOwners(
      environmentId,
      edits.map(({ after }) => after),
    );
    const ids = [...new Set(items.map(({ owner }) => owner.id))];
    const locales = items.map(({ resource }) => asDefinition(resource).locale);
    const rows = await translations.listMany(environmentId, ids, locales);
    const room = new Room(await translations.sizes(environmentId));
    const stored = await translations.locales(environmentId, ids);
    const localesOf = new Map(
      ids.map((id) => [id, new Set(stored.filter((row) => row.id === id).map(({ locale }) => locale))]),
    );
    for (const { owner, resource } of items) {
      const checked = contentOf(resource);
      const { size } = localesOf.get(owner.id)!.add(checked.locale);
      const conflict = size > LIMITS.locales ? TOO_MANY_LOCALES : room.take(checked);
      if (conflict) throw refused(conflict);
      const replaced = rowOf(rows, owner, checked.locale);
      if (replaced) room.release(replaced);
    }
    await translations.saveMany(
      environmentId,
      items.map(({ owner, resource }) => ({ resource: owner, ...asDefinition(resource) })),
    );
    const written = await translations.listMany(environmentId, ids, locales);
    const records = items.map(({ owner, resource }) => {
      const { locale } = asDefinition(resource);
      const [before, after] = [rowOf(rows, owner, locale), rowOf(written, owner, locale)!];
      return { resource: 'translation' as const, id: after.id, before, after };
    });
    await audit.recordMany(place.actor, place, records);
  }

  async remove(place: Place, resources: Resource[]): Promise<void> {
    const { translations, audit } = this.stores;
    const { environmentId } = place;
    const items = await this.withOwners(environmentId, resources);
    const rows = await translations.listMany(
      environmentId,
      items.map(({ owner }) => owner.id),
    );
    const removed = items.map(({ owner, resource }) => rowOf(rows, owner, asDefinition(resource).locale)!);
    await translations.deleteMany(
      environmentId,
      removed.map(({ id }) => id),
    );
    const records = removed.map((before) => ({ resource: 'translation' as const, id: before.id, before }));
    await audit.recordMany(place.actor, place, records);
  }

  /** Each with the row of its workflow or layout. */
  private async withOwners(environmentId: EnvironmentId, resources: Resource[]): Promise<Owned[]> {
    const names = resources.map(({ id }) => nameIn(id));
    const found = await this.stores.translations.resolve(environmentId, names);
    const owners = new Map(found.map(({ type, identifier, id }) => [`${type}.${identifier}`, { type, id }]));
    return resources.map((resource) => {
      const { resourceType, resourceId } = asDefinition(resource);
      const owner = owners.get(`${resourceType}.${resourceId}`);
      if (owner) return { resource, owner };
      throw new DomainError('conflict', `The ${resourceType} ${resourceId} was deleted at the same time`);
    });
  }
}

type Owned = { resource: Resource; owner: TranslatedRow };

const rowOf = (rows: Translation[], { id }: TranslatedRow, locale: string): Translation | undefined =>
  rows.find((row) => row.locale === locale && translatedRowId(row) === id);

const asDefinition = ({ definition }: Resource): TranslationDefinition => definition as TranslationDefinition;

const toResource = (row: PublishableTranslation): Resource => ({
  ...resourceOf({ resourceType: row.type, resourceId: row.identifier, locale: row.locale, content: row.content }),
  updatedAt: row.updatedAt,
  findings: {},
});

const resourceOf = ({ resourceType, resourceId, locale, content }: TranslationDefinition): Resource => ({
  id: `${resourceType}.${resourceId}.${locale}`,
  name: `${resourceId} in ${locale}`,
  definition: { resourceType, resourceId, locale, content },
});

function contentOf(resource: Resource): CheckedContent {
  const { locale, content } = asDefinition(resource);
  const checked = checkShape(locale, content);
  if (isFault(checked)) throw refused(checked);
  return checked;
}

/** A type and a locale have no dot; the identifier between them may have some. */
function nameIn(id: string): { type: TranslatedResource; identifier: string; locale: string } {
  const [first, last] = [id.indexOf('.'), id.lastIndexOf('.')];
  return {
    type: id.startsWith('layout.') ? 'layout' : 'workflow',
    identifier: id.slice(first + 1, last),
    locale: id.slice(last + 1),
  };
}

function refused({ path, message }: { path: string; message: string }): DomainError {
  const field = path === '' ? 'content' : `content.${path}`;
  return new DomainError('unprocessable', 'Validation Error', fieldErrors(field, `${field} ${message}`));
}
