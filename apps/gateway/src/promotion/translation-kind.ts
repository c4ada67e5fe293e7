import type { TemplateRenderer } from '@clarion/content';
import {
  type Channel,
  CreateTranslationDto,
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  fieldErrors,
  type JsonObject,
  normalizedLocale,
  type TranslatedResource,
} from '@clarion/contracts';
import type { PromotionRepository, PublishableTranslation, TranslationRepository } from '@clarion/persistence';
import type { AuditLog } from '../audit-log/audit-log';
import { readDto } from '../http/compiled-dto';
import { checkShape, groupFault, isFault, Room, templateFaults } from '../translations/check-content';
import { textsByLocale } from '../translations/translations.service';
import { faultsOf } from './file-faults';
import type { Place, Reference, Resource, ResourceKind, Save } from './resource-kind';

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
    const rows = await this.stores.promotion.findTranslations(environmentId, ids.map(nameIn));
    return rows.map(toResource).filter(({ id }) => ids.includes(id));
  }

  lock(environmentId: EnvironmentId): Promise<void> {
    return this.stores.translations.lock(environmentId);
  }

  comparable(definition: JsonObject): JsonObject {
    return definition;
  }

  needs(definition: JsonObject): Reference[] {
    const { resourceType, resourceId } = definition as TranslationDefinition;
    return [{ type: resourceType, id: resourceId }];
  }

  channels(): Channel[] {
    return [];
  }

  read(content: JsonObject): Resource | { errors: FieldErrors } {
    const read = readDto(CreateTranslationDto, content);
    if (!('value' in read) || read.unknown) return { errors: faultsOf(read) };
    const locale = normalizedLocale(read.value.locale);
    if (locale === undefined) return fieldErrors('locale', 'locale must be a locale such as en, en_US or zh_Hant_TW');
    return resourceOf({ ...read.value, locale });
  }

  async prepare(environmentId: EnvironmentId, { definition, findings }: Resource): Promise<Save> {
    const { translations, renderer, audit } = this.stores;
    const { resourceType, resourceId, locale, content } = definition as TranslationDefinition;
    const checked = checkShape(locale, content);
    if (isFault(checked)) throw refused(checked);
    const [fault] = findings ? [] : await templateFaults(renderer, environmentId, [checked]);
    if (fault) throw refused(fault);
    return async (place) => {
      const [owner] = await translations.resolve(environmentId, [{ type: resourceType, identifier: resourceId }]);
      if (!owner) throw new DomainError('conflict', `The ${resourceType} ${resourceId} was deleted at the same time`);
      const rows = await translations.listMany(environmentId, [owner.id]);
      const sizes = await translations.sizes(environmentId);
      const defaultLocale = await translations.defaultLocale(environmentId);
      const conflict = groupFault(textsByLocale(rows), checked, defaultLocale) ?? new Room(sizes).take(checked);
      if (conflict) throw refused(conflict);
      await translations.saveMany(environmentId, [{ resource: owner, locale, content }]);
      const after = (await translations.find(environmentId, owner, locale))!;
      const before = rows.find((row) => row.locale === locale);
      await audit.recordIn(place.actor, place, { resource: 'translation', id: after.id, before, after });
    };
  }

  async remove(place: Place, { definition }: Resource): Promise<void> {
    const { translations, audit } = this.stores;
    const { resourceType, resourceId, locale } = definition as TranslationDefinition;
    const [owner] = await translations.resolve(place.environmentId, [{ type: resourceType, identifier: resourceId }]);
    const before = (await translations.find(place.environmentId, owner!, locale))!;
    await translations.delete(place.environmentId, owner!, locale);
    await audit.recordIn(place.actor, place, { resource: 'translation', id: before.id, before });
  }
}

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

/** A type and a locale have no dot; the identifier between them may have some. */
function nameIn(id: string): { type: TranslatedResource; identifier: string } {
  const [first, last] = [id.indexOf('.'), id.lastIndexOf('.')];
  return { type: id.startsWith('layout.') ? 'layout' : 'workflow', identifier: id.slice(first + 1, last) };
}

function refused({ path, message }: { path: string; message: string }): DomainError {
  const field = path === '' ? 'content' : `content.${path}`;
  return new DomainError('unprocessable', 'Validation Error', fieldErrors(field, `${field} ${message}`));
}
